"""Options of fine-tuning an embedder with a corpus's own questions."""

from pydantic import Field

from schemas.options.frozen import Options, Share


class FinetuneOptions(Options):
    """What is learnt from, and how."""

    train_split: str = Field("train", min_length=1, description="split of the questions that are learnt from")
    held_out_split: str = Field("test", min_length=1, description="split of the questions that tell whether it helped")
    epochs: int = Field(3, ge=1, description="how often each question is learnt from")
    batch_questions: int = Field(32, ge=2, description="questions that are learnt from at once: the others' chunks are negatives")
    negatives: int = Field(4, ge=0, description="hard negatives for each question: near chunks that do not answer it")
    most_like: Share = Field(
        0.95,
        description="chunks with more than this share of the answering chunk's cosine are no negatives: they may answer too",
    )
    temperature: float = Field(0.05, gt=0, le=1, description="temperature of the softmax over cosines")
    learning_rate: float = Field(2e-5, gt=0, le=0.1, description="highest learning rate; it rises, then falls to 0")
    warmup: Share = Field(0.1, description="share of the steps in which the learning rate rises")
    pool_chunks: int = Field(
        20_000,
        ge=2,
        description="most chunks to find negatives among and to compare with; what answers a question is always there",
    )
    seed: int = Field(0, description="another seed draws other batches, and another part of a large corpus")
