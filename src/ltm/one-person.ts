/** Whether a statement tells of one person, or of something that happened once: it belongs to the memory of that, not to what is known
 * of things. In English, German, Spanish and Chinese. What is true each year, or of whoever does something, may stay. */

import { folded } from "./scrub/folded.js";

/** Whole words, in either case. */
const words = (source: string): string => String.raw`(?<![\p{L}\p{N}'’])(?:${source})(?![\p{L}\p{N}])`;
const any = (...sources: readonly string[]): RegExp => new RegExp(sources.join("|"), "iu");
const exact = (...sources: readonly string[]): RegExp => new RegExp(sources.join("|"), "u");

const PRONOUNS = any(
  words("me|my|myself|you|yours?|he|she|him|his|hers?|himself|herself|we|ours?|ourselves"),
  // "World War I", and what is dug for coal.
  words(String.raw`(?<!(?:war|type|class|phase|part)\s)i(?!\.\p{L})`),
  words(String.raw`(?<!(?:an?|the|coal|gold|silver|salt|land)\s)mine`),
  words(String.raw`(?:the\s)?user(?:['’]s)?(?!\s(?:interfaces?|manuals?|experience|guides?|accounts?|groups?)(?!\p{L}))`),
  words(String.raw`(?<!(?:an?|dental|medical|shop|voice|virtual|teaching|research)\s)assistant`),
  words(String.raw`ich|mich|mir|mein\p{L}*|du|dich|dir|dein\p{L}*|wir|uns|unser\p{L}*|euch|euer|eure\p{L}*`),
  words(
    "yo|mi|mis|mí[oa]s?|tú|tus?|él|ella|ell[oa]s|nosotr[oa]s|vosotr[oa]s|ustede?s?|nuestr[oa]s?|vuestr[oa]s?|conmigo|contigo",
  ),
  // "Self", "mini", and "other", "guitar", "vitamin", "others".
  `(?<!自)我|(?<!迷)你|您|(?<![其吉利维])他(?![人の])|她|咱|用户(?!界面|体验|手册)|说话(?:者|的?人)|讲述者|[这那](?:个人(?!工)|位(?!置))`,
);
/** "us", not the country. */
const US = exact(words("[Uu]s"));
/** At the beginning they have nothing to stand for but somebody. */
const FIRST = exact(
  String.raw`^\W*(?:[Tt]hey|[Tt]hem|[Tt]heir|[Ee]r|[Ss]ie|[Ii]h[mn]|[Ii]hnen|[Ii]hre?[mnrs]?|[Ss]eine?[mnrs]?|[Ss]us?)\s`,
  // A verb that tells who speaks.
  String.raw`^\W*(?:[Vv]ivimos|[Tt]enemos|[Ss]omos|[Ee]stamos|[Ff]uimos|[Vv]amos|[Hh]icimos|[Tt]engo|[Ss]oy|[Ee]stoy|[Vv]ivo|[Ff]ui|[Vv]oy|[Mm]e|[Nn]os)\s`,
);
/** Within a German sentence, unless a noun and a comma stand before them that they may speak of. */
const GERMAN_WITHIN =
  /(?<!\p{L})(?:(?!(?:det|dat|het|niet)\s)\p{Ll}+t|kann|muss|will|mag|soll|darf|war|hatte|wurde|ging|kam|fuhr|sah|[Ww]enn|[Ww]eil|[Dd]ass|[Oo]b|[Aa]ls)\s(?:er|sie)(?!\p{L})/u;
const NOUN_AND_COMMA = /\p{Lu}\p{L}+[^,]*,/u;

const PERSON =
  "speaker|narrator|interlocutor|participant|person|man|woman|boy|girl|guy|lady|gentleman|friend|colleague|neighbou?r|mother|father|sister|brother|son|daughter|wife|husband|child|couple";
const SOMEBODY = any(
  words(
    String.raw`(?:the|this|that)\s(?:speaker|narrator|interlocutor|participant|person|man|woman|boy|girl|guy|lady|gentleman|couple)(?:['’]s)?`,
  ),
  String.raw`^\W*speaker\s(?:[ab1-9](?!\p{L})|(?:has|had|is|was|likes|loves|works|lives|wants|feels|says|said|mentions)(?!\p{L}))`,
  words(String.raw`(?:${PERSON})\s(?:named|called|by the name of)`),
  words(
    String.raw`(?:(?:an?|one|some)\s(?:\p{L}+\s)?(?:${PERSON})|somebody|someone)\s(?:was|had|did|went|fell|broke|lost|got|bought|moved|died|took|came|told|said|met|married|gave|found|left|began|visited|started|adopted|felt|made|saw)`,
  ),
  words(
    String.raw`de[rmns]\s(?:sprecher|erzähler)s?|die\s(?:sprecherin|erzählerin)|diese[rn]?\s(?:person|frau|mann|mensch(?:en)?)`,
  ),
  words(String.raw`(?:el|la|este|esta)\s(?:hablante|narradora?)|est[ae]\s(?:persona|mujer|hombre|chic[oa]|niñ[oa])`),
);

const MONTH =
  "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec|januar|jänner|februar|märz|mai|juni|juli|oktober|dezember|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre";
const WEEKDAY =
  "monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|lunes|martes|miércoles|jueves|viernes|sábado|domingo";
const COUNT =
  "an?|one|two|three|four|five|six|seven|eight|nine|ten|few|several|some|couple(?: of)?|eine[mnr]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|wenigen|einigen|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|poc[oa]s|vari[oa]s|algun[oa]s|\\p{Nd}+";
/** Of today and the days around it. */
const NEAR = any(
  words("yesterday|today|tonight|tomorrow|gestern|vorgestern|heute|übermorgen|neulich|kürzlich|ayer|anteayer|anoche|hoy"),
  words(String.raw`(?<!(?:la|de)\s)mañana`),
  words(
    String.raw`(?:last|next|the (?:other|previous|following))\s(?:week|weekend|month|year|night|summer|winter|spring|autumn|fall|${WEEKDAY}|${MONTH})|the other day|last (?:evening|morning|afternoon)|this (?:week|weekend|month|year|morning|afternoon|evening)|that (?:night|morning|evening|afternoon)`,
  ),
  words(String.raw`(?:${COUNT})\s(?:minutes?|hours?|days?|weeks?|weekends?|months?|years?|nights?)\s(?:ago|earlier)`),
  words(String.raw`vor\s(?:${COUNT})\s(?:minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)`),
  words(
    String.raw`(?:letzte|vorige|vergangene|nächste|diese)[mnrs]?\s(?:woche|wochenende|monat|jahr|nacht|sommer|winter|frühling|herbst|tage?|${WEEKDAY})`,
  ),
  words(String.raw`hace\s(?:${COUNT})\s(?:minutos?|horas?|días?|semanas?|mes(?:es)?|años?)`),
  words(
    String.raw`(?:año|mes|semana|verano|invierno|otoño|noche|${WEEKDAY})\s(?:pasad|próxim)[oa]|(?:pasad|próxim)[oa]\s(?:año|mes|semana)|est[ae]\s(?:año|mes|semana|mañana|tarde|noche|verano)`,
  ),
  String.raw`昨[天晚日]|今[天晚早日年]|明[天晚早日年]|[前后]天|去年|[上下这]个?(?:周|星期|月|礼拜)|(?:[一二三四五六七八九十两几]|\p{Nd})个?(?:分钟|小时|天|周|星期|月|年)之?前`,
);
/** The noun is the time of day. */
const MORGEN = exact(String.raw`(?<!(?:[Gg]uten|[Hh]eute|[Aa]m|[Jj]eden)\s)${words("morgen")}`);
/** A year; the same digits may count something. */
const YEAR = any(
  String.raw`(?<!\p{Nd}|[.,]\p{Nd}*)(?:19|20)\p{Nd}{2}(?![\p{Nd}%°])(?![.,]\p{Nd})(?!\s?(?:k?cal\p{L}*|steps|met(?:er|re)s?|kilomet\p{L}+|miles|feet|people|species|kinds|lit(?:er|re)s?|grams?|words|hours|degrees|volts?|watts?|euros?|dollars?|times|years|k?m|k?g|ml|schritte\p{L}*|kalorien|menschen|arten|jahren?|pasos|personas|metros|años|步|米|公里|人|种|卡|克|毫升)(?!\p{L}))`,
);
const DATE = any(
  String.raw`(?<!\p{Nd}|\p{Nd}[./-])\p{Nd}{1,2}([./-])\p{Nd}{1,2}\1\p{Nd}{2,4}(?!\p{Nd})`,
  String.raw`(?<!\p{L})(?:on|since|until|am|vom|seit|bis|el|del|desde)\s\p{Nd}{1,2}[./-]\p{Nd}{1,2}(?!\p{Nd})`,
);
/** A day of the calendar or of the week, which a custom of each year or week may name. */
const CALENDAR = any(
  words(String.raw`\p{Nd}{1,2}(?:st|nd|rd|th|\.)?\s(?:of\s|de\s)?(?:${MONTH})`),
  words(String.raw`(?:${MONTH})\s(?:the\s)?\p{Nd}{1,2}(?:st|nd|rd|th)?(?!\s?%)`),
  words(String.raw`(?!month)\p{L}+(?:st|nd|rd|th)\sof\s(?:${MONTH})`),
  words(String.raw`(?:on|since|until|by|am|seit|bis|vergangenen)\s(?:an?\s)?(?:${WEEKDAY})|(?:el|este)\s(?:${WEEKDAY})`),
  String.raw`(?:\p{Nd}{1,2}|[一二三四五六七八九十]{1,3})月(?:\p{Nd}{1,2}|[一二三四五六七八九十]{1,3})[日号]|(?:周|星期|礼拜)[一二三四五六日天]`,
);
const CUSTOM = any(
  words(
    "every|each|always|usually|often|traditionally|annual(?:ly)?|yearly|weekly|observed|falls? on|jede[mnrs]?|immer|meist(?:ens)?|oft|üblicherweise|traditionell|gefeiert|cada|tod[oa]s|siempre|suelen?|se celebran?",
  ),
  "每|通常|总是|庆祝",
);
const PERHAPS_CUSTOM = any(
  words(
    "takes? place|begins?|starts?|ends?|opens?|closes?|rests?|(?:is|are) (?:celebrated|held|closed|open|on)|findet|finden|ist|sind|haben|hat|beginnt|es|son|empieza|cierran?|abren?",
  ),
  "都|是",
);
/** What a person has on a day. */
const APPOINTMENT = any(
  words(
    "wedding|party|meeting|flight|appointment|exam|visit|birthday|trip|surgery|interview|operation|funeral|reunion|hochzeit|feier|treffen|termin|flug|prüfung|geburtstag|beerdigung|reise|besuch|boda|fiesta|reunión|cita|vuelo|examen|cumpleaños|operación|viaje|visita|entrevista",
  ),
  "婚礼|聚会|会议|约会|航班|考试|生日|手术|葬礼|面试",
);
/** What happened once. */
const PAST = any(
  words(
    "was|were|had|did|went|came|got|fell|broke|took|gave|bought|lost|met|began|moved|married|died|visited|happened|graduated|attended|adopted|finished|travell?ed|started|war|waren|hatten?|ging|kam|fiel|brach|wurden?|fue|fueron|tuvo|hizo|cayó|murió|nació|compró|visitó",
  ),
);
const IN_MONTH = any(words(String.raw`(?:in|last|im|en)\s(?:${MONTH})`));

/** Whether a text speaks of one person, or of a day. */
export function isOfOnePerson(text: string): boolean {
  const seen = folded(text).text.normalize("NFC");
  return (
    [PRONOUNS, US, FIRST, SOMEBODY, NEAR, MORGEN, YEAR, DATE].some((pattern) => pattern.test(seen)) ||
    isGerman(seen) ||
    isOnce(seen)
  );
}

function isGerman(text: string): boolean {
  const within = GERMAN_WITHIN.exec(text);
  return within !== null && !NOUN_AND_COMMA.test(text.slice(0, within.index + within[0].length));
}

function isOnce(text: string): boolean {
  const isPast = PAST.test(text);
  if (CALENDAR.test(text)) {
    const isCustom = CUSTOM.test(text) || (PERHAPS_CUSTOM.test(text) && !APPOINTMENT.test(text));
    return isPast || !isCustom;
  }
  return isPast && IN_MONTH.test(text);
}
