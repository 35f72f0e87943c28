/** Words and patterns by which the sentence gate tells what a sentence does. Data: the shipped weights were learned with the English
 * ones, so a change of these needs new weights; German, Spanish and Chinese fill the same features. */

/** Not letters before and after: `\b` knows ASCII alone. */
const words = (list: string): string => `(?<![\\p{L}'’])(?:${list})(?![\\p{L}])`;
const pattern = (list: string, chinese = "", flags = "iu"): RegExp =>
  new RegExp(chinese === "" ? words(list) : `${words(list)}|${chinese}`, flags);

export const GATE_WORDS = {
  firstPerson: pattern(
    "i|i['’](?:m|ve|d|ll)|my|mine|me|myself|we|we['’](?:re|ve|d|ll)|our|us|ich|mein\\p{L}{0,2}|mir|mich|wir|unser\\p{L}{0,2}|yo|mi|mis|nosotros|nuestr\\p{L}{1,2}|hemos|soy|estoy|tengo|fui",
    "[我咱俺]",
    "giu",
  ),
  secondPerson: pattern("you|your|yours|you['’](?:re|ve|d|ll)|du|dein\\p{L}{0,2}|dir|dich|ihr|tú|tu|tus|usted", "[你您]", "giu"),
  request: pattern(
    "can you|could you|please|recommend|suggest|tips|help me|what|how|why|which|do you|would you|give me|tell me|write|explain|create|generate|" +
      "kannst du|könntest du|bitte|empfiehl\\p{L}*|wie|warum|welche\\p{L}?|puedes|podrías|por favor|recomienda\\p{L}*|cómo|cuál|qué",
    "请|帮我|能不能|可以给|推荐|怎么|为什么|告诉我",
  ),
  time: pattern(
    "yesterday|today|last|ago|recently|just|week|month|year|since|for the past|january|february|march|april|may|june|july|august|september|october|" +
      "november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|" +
      "gestern|heute|letzte\\p{L}?|vor kurzem|neulich|woche|monat|jahr|seit|ayer|hoy|pasad[oa]|recientemente|semana|mes|año|desde|hace",
    "昨天|今天|上周|上个月|去年|最近|刚|星期|周[一二三四五六日末]|[年月]",
  ),
  event: pattern(
    "bought|got|went|started|finished|joined|moved|adopted|planned|attended|visited|received|used to|tried|made|met|ordered|lost|signed|completed|read|" +
      "watched|switched|gekauft|gegangen|angefangen|gezogen|umgezogen|besucht|bekommen|bestellt|verloren|getroffen|gemacht|compré|fui|empecé|" +
      "terminé|visité|recibí|pedí|perdí|conocí|hice|me mudé|adopté",
    "买|搬|参加|毕业|结婚|开始|去了|收到|丢了|订了",
    "giu",
  ),
  preference: pattern(
    "love|like|prefer|enjoy|favou?rite|hate|interested|into|fan of|don['’]t like|allergic|mag|liebe|hasse|lieblings\\p{L}*|lieber|allergisch|gusta|" +
      "gustan|encanta|prefiero|odio|favorit[oa]|alérgic[oa]",
    "喜欢|讨厌|最爱|过敏|爱吃|偏爱",
  ),
  aside: pattern("by the way|speaking of|reminds me|i mentioned|actually|übrigens|eigentlich|por cierto", "对了|顺便|其实"),
  number: /[$€£¥]?\d|[一二三四五六七八九十百千两]+(?:[个次天年月岁点块元]|小时)/u,
  capitalised: /(?<=[\p{Ll},;:] )\p{Lu}\p{L}+/gu,
  reaction: pattern(
    "^(?:wow|yeah|yes|sounds|thanks|thank|great|awesome|cool|nice|sure|ok|okay|oh|hey|hi|hello|that['’]s|no|glad|congrats|absolutely|definitely|" +
      "totally|super|toll|danke|klar|genau|hallo|gracias|genial|claro|hola|vale)",
    "^(?:好的|哈哈|嗯|谢谢|哇|你好)",
  ),
  past: pattern(
    "\\p{L}+ed|was|were|had|did|went|got|made|took|saw|bought|began|wrote|gave|found|met|said|told|thought|felt|left|lost|won|ran|ate|drove|grew|knew|" +
      "kept|heard|taught|spent|sent|sold|came|became|caught|chose|built|broke|put|war|hatte|habe|ging|wurde|fue|era|estaba|tenía|hemos",
    "[了过]",
  ),
  kin: pattern(
    "mother|mom|mum|father|dad|parents?|sister|brother|friends?|wife|husband|son|daughter|aunt|uncle|cousin|niece|nephew|grand\\p{L}+|partner|boyfriend|" +
      "girlfriend|fianc\\p{L}+|boss|family|kids?|child(?:ren)?|dog|cat|pet|mutter|vater|schwester|bruder|freund\\p{L}*|frau|mann|sohn|tochter|hund|katze|" +
      "madre|padre|hermana|hermano|amig[oa]s?|esposa|marido|hij[oa]s?|perro|gato",
    "妈|爸|姐|妹|哥|弟|儿子|女儿|丈夫|妻子|老公|老婆|朋友|同事|狗|猫",
  ),
  thanks: pattern(
    "thank|thanks|appreciate|congrat\\p{L}*|proud of you|good luck|take care|let me know|keep (?:it )?up|danke|gracias",
    "谢谢|恭喜|加油",
  ),
  duration:
    /(?<!\p{L})(?:for|since|over)(?: the)? (?:past |last )?(?:[\p{L}\d]+ )?(?:years?|months?|weeks?|days?|hours?)(?!\p{L})/iu,
  relativeTime: pattern(
    "yesterday|today|tonight|this morning|last night|the other day|tomorrow|[\\p{L}\\d]+ (?:day|week|weekend|month|year)s? ago|" +
      "(?:last|past|previous|this|next) (?:week|weekend|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|fall|autumn|winter)|" +
      "gestern|heute|morgen|letzte[nrs]? \\p{L}+|nächste[nrs]? \\p{L}+|ayer|hoy|mañana|\\p{L}+ pasad[oa]|hace \\p{L}+ \\p{L}+",
    "昨天|今天|明天|上周|下周|上个月|下个月|去年|明年|前天",
  ),
  possession: pattern(
    "my (?!question|request|next|text|goal is)\\p{L}+|mein\\p{L}{0,2} \\p{L}+|mi \\p{L}+|mis \\p{L}+",
    "我的|我们的|我家",
  ),
  being: pattern("i['’]m|i am|i was|i['’]ve|i have|ich bin|ich habe|ich war|soy|estoy|tengo", "我是|我在|我有|我叫"),
} as const;

/** Words of which small talk is made, beside stop words. */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(
  (
    "thing things great way support good nice amazing awesome time lot really love feel sure definitely always make help people life important " +
    "gut toll schön super bien bueno genial"
  ).split(" "),
);
