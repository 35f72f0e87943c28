/** Sentences to look for names in, written apart from those that the tagger learns from, and names that are in no list of faker. */

export const TEMPLATES = {
  en: [
    "The plumber, {N}, fixed our sink before noon.",
    "Could you book a table for {N} and me?",
    "I'm worried that {N} hasn't slept well since the surgery.",
    "Turns out {N} grew up two streets from us.",
    "Yesterday's choir rehearsal was led by {N}.",
    "{N} wants to repaint the kitchen in yellow.",
    "My godmother {N} knits all winter.",
    "Should we carpool with {N} on Thursday?",
    "I forgot to wish {N} a happy anniversary.",
    "After the divorce {N} moved back to the coast.",
    "Every Sunday I play chess against {N}.",
    "A colleague, {N}, will take over the project.",
    "Did you hear what {N} said at the meeting?",
    "{N} lent me her bicycle for the weekend.",
    "We adopted the puppy together with {N}.",
    "Mr. {N} from the second floor complained again.",
  ],
  de: [
    "Am Sonntag spiele ich mit {N} Schach.",
    "Der Klempner {N} hat das Waschbecken repariert.",
    "Ich mache mir Sorgen um {N}.",
    "{N} möchte die Küche gelb streichen.",
    "Gestern hat {N} den Chor geleitet.",
    "Wir teilen uns das Auto mit {N}.",
    "Nach der Scheidung ist {N} ans Meer gezogen.",
    "Meine Patentante {N} strickt den ganzen Winter.",
    "Hast du gehört, was {N} erzählt hat?",
    "{N} hat mir ihr Fahrrad gegeben.",
    "Das Protokoll schreibt diesmal {N}.",
    "Den Hund haben wir zusammen mit {N} geholt.",
  ],
  es: [
    "Los domingos juego al ajedrez con {N}.",
    "El fontanero, {N}, arregló el fregadero.",
    "Me preocupa que {N} no duerma bien.",
    "{N} quiere pintar la cocina de amarillo.",
    "Ayer {N} dirigió el coro.",
    "Compartimos el coche con {N}.",
    "Tras el divorcio {N} volvió a la costa.",
    "Mi madrina {N} teje todo el invierno.",
    "¿Oíste lo que contó {N}?",
    "{N} me dejó su bicicleta.",
    "Esta vez el acta la escribe {N}.",
    "Adoptamos al perro junto con {N}.",
  ],
  zh: [
    "星期天我常跟{N}下棋。",
    "水管工{N}把水槽修好了。",
    "我很担心{N}的身体。",
    "{N}想把厨房刷成黄色。",
    "昨天{N}指挥了合唱团。",
    "我们和{N}拼车上班。",
    "离婚后{N}搬回了老家。",
    "干妈{N}整个冬天都在织毛衣。",
    "你听到{N}说的话了吗？",
    "{N}把自行车借给了我。",
    "这次的记录由{N}来写。",
    "小狗是我们和{N}一起领养的。",
  ],
} as const;

/** Given names and family names that the lists of faker do not hold; those that the tagger's lists hold nevertheless are left out. */
export const UNLISTED = {
  en: [
    "Thandeka Brillhart Zephyrine Quennell Oluwaseyi Larkspurre Tamsyn Ruddock Kezabel Thistlewood Brielyn Hawksby Jorvik Penhallow Ottoline Wigglesby Merewyn Crabtrey Torquil Fenwicke Peregryne Ashdowne Lowenna Trethewey Isolda Marchbanke",
  ],
  de: [
    "Friedeborg Quastenberg Luitgardis Hinnerksen Tjorben Wiebusch Swantje Brookmöller Eilika Dachsbühl Hartmuth Zwieselmann Gesche Kattenstroth Roswindis Pfannenstill Ottfried Schnippkoth Wubbo Janßenius Thedela Krumbiegler",
  ],
  es: [
    "Yolotzin Etxegarai Nahuelmir Urrutikoa Ainhize Zubizarra Itzayana Goikolea Eztizen Larrabeiti Quetzalli Arozamena Xiadani Berasategi Nekane Otxandio Maialen Iturrioz Citlaltzin Mendizorrotz",
  ],
} as const;
