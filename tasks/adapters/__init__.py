"""How the world is reached: one module per outside system, its errors translated to ours."""
