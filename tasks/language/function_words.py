"""Function words: the commonest short words of languages, by ISO 639-1 code, and the script that they are written in.

English has the stop words of Lucene. The words of most other languages were counted in the translations of Debian's installation
guide and of the Debian Administrator's Handbook: of the fifty most frequent words those that say nothing of the subject.
"""

LATIN, CYRILLIC, ARABIC, DEVANAGARI = "Latin", "Cyrillic", "Arabic", "Devanagari"

_WORDS = {
    LATIN: {
        "en": "a an and are as at be but by for if in into is it no not of on or such that the their then there these "
        "they this to was will with",
        "ca": "a al amb aquest aquesta com d de del dels el els en és ha hi i l la les més no o per pot quan que s és "
        "també un una",
        "cs": "a aby ale bude by do i jako je jsou k která které který lze můžete na nebo o pak po pokud pro při s se si "
        "tento to u v ve z za že",
        "da": "af at blive de den denne der det dette din du efter eller en er et for fra har hvis i ikke kan med når og "
        "også om på skal som så til under ved vil være",
        "de": "als am an auch auf aus bei das dass dem den der des die dies diese ein eine einem einen einer es falls für "
        "im in ist kann mit nach nicht noch nur oder sich sie sind und um von vor was wenn werden wie wird zu zum zur "
        "über",
        "es": "al como con cuando de del el en es esta este esto la las lo los más no o para pero por que se ser si sin "
        "son su sus también un una y ya",
        "et": "aga ei et ja ka kas kes kui kuid mida mis ning nii oli olema on peab see seda selle siis saab tema või üle",
        "fi": "ei että ja jos joka jotka kuin kun mutta myös niin ole on ovat se sen sekä siitä tai tämä tämän voi voidaan",
        "fr": "a au aux avec ce ces cette comme d dans de des du elle en est et il ils l la le les leur lorsque mais même "
        "n ne on ou par pas peut plus pour qu que qui s sa se ses si son sont sur un une vous à être",
        "hr": "ako ali bi biti da do i ili ima iz jer je kao kako koja koje koji može na nakon nije o od po s sa samo se "
        "su što to u uz za",
        "hu": "a az be csak de ebben egy ez ezt ha hogy is kell lehet meg még mint nem nincs van vagy vagyok volt után és",
        "id": "adalah agar akan anda atau bahwa beberapa dalam dan dapat dari dengan di harus hanya ini itu jika juga "
        "karena ke lebih oleh pada saat sebagai secara tidak untuk yang",
        "it": "a al alla anche che come con da dal dei del della dell delle di e essere gli ha i il in l la le lo ma nel "
        "nella non o per più può quando questa questo se si solo sono su un una viene è",
        "lt": "ar arba bei bet bus buvo dar gali ir iš į jei jis kad kai kaip kuris kurie nuo o per po prie su tai tik už "
        "yra šis",
        "lv": "ar arī bet bija būs gan ir ja jo jūs ka kas kā lai no nav par pie pēc tas to tiek un uz vai var šis",
        "nl": "aan als bij dan dat de deze die dit door een en er het heeft hier hoe in is kan kunt maar met moet na naar "
        "niet nog of om ook op over te tot u uit uw van voor wat worden wordt ze zijn",
        "no": "alle at av bare ble bli da de den denne det dette du eller en er et etter for fra har hvis i ikke kan man "
        "med når og også om opp på seg skal som så til ved vil være",
        "pl": "a aby być być ale co dla do i ich jak jako jest jeśli już który które lub może można na nie o od oraz po "
        "przez przy są się tak także to tylko tym w we z za ze że",
        "pt": "a ao aos as com como da das de deve do dos e em esta este foi isso mais mas na no nos não o os ou para "
        "pelo pela por quando que se ser seu sua são também um uma você à é",
        "ro": "a acest această al ar ca care ce cu dacă de din dar este fi fie în la lui mai nu o pe pentru prin să sau "
        "se sunt și şi un va vă",
        "sk": "a aby aj ako ale alebo bol by bude do je ich iba k keď ktorá ktoré ktorý len môže môžete na nie o od po "
        "pre pri s sa si sú to v vo z za že",
        "sl": "ali bi bo da do in iz je jih ker ki ko kot lahko le med na ne ni o ob od pa po pri s se so ta tem to tudi "
        "v z za če",
        "sv": "alla att av de den denna det detta dig din du eller en ett efter finns från för har här i inte kan kommer "
        "med men när och om på samt se ska som så till under upp var vid är även",
        "tr": "ama ancak bir bu böyle da daha de değil diye en gibi göre hem her için ile ise kadar ki olan olarak sonra "
        "tüm var ve veya ya çok şu",
        "vi": "bạn cho chúng có các cũng của dùng hay hoặc không khi là lại một này nếu những nó phải rằng sẽ thì trên "
        "trong từ và vào với đã đó được để",
    },
    CYRILLIC: {
        "ru": "а без более бы были быть в во вы для до его если есть же за и из или их к как когда который которые ли "
        "может можно мы на не но о от по после при с со так также то только у чтобы что это эта этот",
        "uk": "а або але без буде бути в ви від він для до з за зі і із й його це цей ця коли ми може можна на не при про "
        "та так також те то у що щоб як який які якщо є",
        "bg": "а ако без беше бъде в ви да до е за и из или как като когато може на не но от по при с са се след само "
        "така те това тази този трябва че ще",
        "sr": "а ако али би бити да до док за и из или има је када као како кад која које који може на није о од по само "
        "са се су то у уз што",
    },
    ARABIC: {
        "ar": "أن أو إذا إلا إلى إن التي الذي الى ان او بعد بين ثم حتى عند على عن غير فقط في قد كان كل كما لا لم ليس ما "
        "مع من هذا هذه هو هي و يمكن",
        "fa": "آن از است اما این با باید بر برای به تا خود در را شد شده شما شود می ها های هر هم همه و ولی چه کرد کند که یا یک",
        "ur": "آپ اس اور ان ایک بھی تھا تو جو سے کا کر کرنا کو کی کیا کے گا لئے لیے میں نہیں نے پر ہو ہوں ہے ہیں یا یہ",
    },
    DEVANAGARI: {
        "hi": "अगर आप इस एक और कर करने का कि किया की के को जो तक तो था नहीं ने पर भी में या यह ये वह से हैं है हो",
        "mr": "असे आणि आहे आहेत एक किंवा की केली केले च जर तर ते तो नाही पण मध्ये या व साठी हा ही हे होते",
        "ne": "र छ छन् को का की मा ले लाई बाट पनि यो त्यो भने तर हो गर्न गरेको भएको यस एक नै अथवा तथा",
    },
}

FUNCTION_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split()) for of_script in _WORDS.values() for language, words in of_script.items()
}
"""By language: its function words, in lower case."""

LANGUAGES_OF_SCRIPT: dict[str, tuple[str, ...]] = {script: tuple(of_script) for script, of_script in _WORDS.items()}
"""Scripts of several languages, which only words tell apart, with these languages."""

ENGLISH = frozenset(
    "a about above after again against all am an and any are as at be because been before being below between both but by can "
    "did do does doing down during each few for from further had has have having he her here hers herself him himself his how "
    "i if in into is it its itself just me more most my myself now of off on once only or other our ours ourselves out over "
    "own re same she should so some such than that the their theirs them themselves then there these they this those through "
    "to too under until up very was we were what when where which while who whom why will with you your yours yourself "
    "yourselves".split()
)
"""The stop words of English that Lance knows, those of NLTK for the most part."""

JAPANESE = frozenset(
    "の に は を た が で て と し れ さ ある いる も する から な こと として い や れる など "
    "なっ ない この ため その あっ よう また もの という あり まで られ なる へ か だ これ によって "
    "により おり による ず なり られる において ば なかっ なく しかし について せ だっ できる それ う "
    "ので なお のみ でき き つ における および いう さらに でも ら たり に関する ます ん なら に対して "
    "です ください ませ".split()
)
"""Particles and auxiliaries of Japanese, as Lucene's analyzer drops them; where they stand only a dictionary tells."""

DISTINCTIVE_LETTERS: dict[str, str] = {
    "ar": "ةى",
    "cs": "řěů",
    "es": "ñ",
    "et": "õ",
    "fa": "پچژگ",
    "hr": "đ",
    "hu": "őű",
    "lt": "ėįų",
    "lv": "āēīķļņģ",
    "pl": "łąęćńśźż",
    "pt": "ãõ",
    "ro": "țșţş",
    "ru": "ыэё",
    "sr": "ђћљњџј",
    "tr": "ğış",
    "uk": "іїєґ",
    "ur": "ٹڈڑںے",
    "vi": "ơưạảấầẩậắằặẹẻếềểễệỉịọỏốồổỗộớờởợụủứừửựỳỷỹ",
}
"""Letters that hardly any other language of the same script has; a word with one counts like a function word."""

LANGUAGE_OF_SCRIPT: dict[str, str] = {
    "Armenian": "hy",
    "Bengali": "bn",
    "Ethiopic": "am",
    "Georgian": "ka",
    "Greek": "el",
    "Gujarati": "gu",
    "Gurmukhi": "pa",
    "Han": "zh",
    "Hangul": "ko",
    "Hebrew": "he",
    "Kana": "ja",
    "Kannada": "kn",
    "Khmer": "km",
    "Lao": "lo",
    "Malayalam": "ml",
    "Myanmar": "my",
    "Sinhala": "si",
    "Tamil": "ta",
    "Telugu": "te",
    "Thai": "th",
    "Tibetan": "bo",
}
"""Scripts that tell the language, with the language that is mostly written in them. Japanese mixes Kana and Han."""

LETTERS: dict[str, str] = {
    LATIN: "A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ",
    CYRILLIC: "Ѐ-ԯ",
    ARABIC: "\u0620-\u064a\u0671-\u06d3",
    DEVANAGARI: "ऄ-ह",
    "Armenian": "Ա-և",
    "Bengali": "অ-হ",
    "Ethiopic": "ሀ-ፚ",
    "Georgian": "ა-ჿ",
    "Greek": "Ͱ-Ͽἀ-῾",
    "Gujarati": "અ-હ",
    "Gurmukhi": "ਅ-ਹ",
    "Han": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
    "Hangul": "\uac00-\ud7a3",
    "Hebrew": "א-ת",
    "Kana": "\u3041-\u3096\u30a1-\u30fa",
    "Kannada": "ಅ-ಹ",
    "Khmer": "ក-ឳ",
    "Lao": "ກ-ຮ",
    "Malayalam": "അ-ഹ",
    "Myanmar": "က-ဪ",
    "Sinhala": "අ-ෆ",
    "Tamil": "அ-ஹ",
    "Telugu": "అ-హ",
    "Thai": "ก-ฮ",
    "Tibetan": "ཀ-ཬ",
}
"""Ranges of the letters of each script, as in a character class of an expression."""
