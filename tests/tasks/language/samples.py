"""The same few sentences in several languages."""

SAMPLES = {
    "ar": "كانت المطحنة على النهر لأكثر من مئة سنة. في عام 1911 بنى أصحابها سداً جديداً، وبعد ذلك لم يعد الطحان يخاف من الجفاف.",
    "bg": "Мелницата беше на реката повече от сто години. През 1911 година собствениците ѝ построиха нов бент, след което "
    "сушата вече не беше опасна за мелничаря, защото водата може да се събира.",
    "cs": "Mlýn stál na řece více než sto let. V roce 1911 jeho majitelé postavili nový jez, po kterém se mlynář už nebál sucha.",
    "da": "Møllen stod ved åen i mere end hundrede år. I 1911 byggede ejerne et nyt stemmeværk, og efter det var mølleren "
    "ikke bange for tørken, hvis der ikke faldt regn.",
    "de": "Die Mühle stand mehr als hundert Jahre am Fluss. Im Jahr 1911 bauten die Besitzer ein neues Wehr, nach dem sich "
    "der Müller nicht mehr vor der Dürre fürchtete.",
    "el": "Ο μύλος στεκόταν στο ποτάμι για περισσότερα από εκατό χρόνια.",
    "en": "The mill stood on the river for more than a hundred years. In 1911 its owners built a new weir, and the miller "
    "was no longer afraid of the drought.",
    "es": "El molino estuvo junto al río durante más de cien años. En 1911 sus dueños construyeron una presa nueva, y el "
    "molinero ya no tuvo miedo de la sequía.",
    "fr": "Le moulin est resté au bord de la rivière plus de cent ans. En 1911 les propriétaires ont construit un nouveau "
    "barrage, et le meunier ne craignait plus la sécheresse.",
    "he": "הטחנה עמדה ליד הנהר יותר ממאה שנים.",
    "it": "Il mulino è rimasto sul fiume per più di cento anni. Nel 1911 i proprietari hanno costruito una nuova diga, e il "
    "mugnaio non ha più avuto paura della siccità.",
    "ja": "水車小屋は百年以上も川のそばに立っていました。1911年に新しい堰が作られました。",
    "ko": "물레방아는 백 년 넘게 강가에 서 있었다.",
    "nl": "De molen stond meer dan honderd jaar aan de rivier. In 1911 bouwden de eigenaars een nieuwe stuw, en de molenaar "
    "was niet meer bang voor de droogte.",
    "pl": "Młyn stał nad rzeką ponad sto lat. W 1911 roku właściciele zbudowali nowy jaz, po czym młynarz nie bał się już suszy.",
    "pt": "O moinho ficou junto ao rio por mais de cem anos. Em 1911 os donos construíram uma nova barragem, e o moleiro "
    "não teve mais medo da seca.",
    "ru": "Мельница стояла на реке больше ста лет. В 1911 году владельцы построили новую плотину, после чего мельник уже не "
    "боялся засухи.",
    "sv": "Kvarnen stod vid ån i mer än hundra år. År 1911 byggde ägarna en ny damm, och efter det var mjölnaren inte rädd "
    "för torkan som kommer.",
    "th": "โรงสีตั้งอยู่ริมแม่น้ำมานานกว่าร้อยปี",
    "tr": "Değirmen yüz yıldan daha uzun bir süre nehrin kıyısında durdu. 1911 yılında sahipleri yeni bir bent yaptı ve "
    "değirmenci artık kuraklıktan korkmadı.",
    "uk": "Млин стояв на річці понад сто років. У 1911 році власники збудували нову греблю, після чого мельник уже не "
    "боявся посухи.",
    "zh": "磨坊在河边矗立了一百多年。1911年业主修建了一座新的堤坝。",
}
