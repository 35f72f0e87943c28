/** Words beside which persons' names stand, in English, German and Spanish. The model file holds for these. */

/** Relations. */
export const KIN =
  "boss manager sister brother wife husband friend roommate neighbor neighbour cousin aunt uncle colleague coworker therapist dentist landlord girlfriend boyfriend son daughter grandma grandpa tutor trainer mentor fiancé fiancée niece nephew partner teammate mom mum dad mother father client doctor teacher coach stepdad stepmom flatmate bestie buddy chefin chef schwester bruder frau mann freund freundin mitbewohner mitbewohnerin nachbar nachbarin cousine tante onkel kollege kollegin vermieter vermieterin sohn tochter neffe nichte oma opa lehrer lehrerin trainerin praktikant kumpel schwager schwägerin mama papa mutter vater ärztin arzt jefe jefa hermana hermano esposa esposo marido mujer novio novia amigo amiga compañero compañera vecino vecina primo prima tía tío colega casero casera hijo hija sobrino sobrina abuela abuelo profesora profesor entrenador entrenadora cuñado cuñada suegra suegro madre padre médico médica";
/** Forms of address. */
const TITLES =
  "mr mrs ms miss dr prof professor sir madam herr frau señor señora señorita sr sra srta don doña doctor doctora coach captain father sister rabbi judge";
/** Words that people stand after. */
const BEFORE =
  "with from for by about without to and or mit von für bei ohne wegen zu an und oder zwischen con de para por sin a y o e según entre";
/** What people do, right after their name. */
const DOES =
  "said told asked says called texted thinks wants loves hates gave recommended moved invited mentioned sagte sagt meint hat ist war will kommt wohnt fragt dijo dice llamó quiere tiene vive es está me mi vino recomendó invitó is was has";
/** Words with which somebody is spoken to. */
const GREETING =
  "hi hey hello dear thanks thank hallo liebe lieber hola querida querido gracias danke hiya morning regards cheers best love saludos besos lg gruß grüße ciao bye tell ask remind meet call text email sag frag ruf dile pregúntale avisa";
/** Words that tell a name. */
const NAMING = "named called name i'm am heiße heißt namens bin llamo llama llamada llamado soy nombre nenn alias";

export const KIN_CLASS = 1;
export const TITLE_CLASS = 2;

/** German compounds that end in a relation: "Stiefmutter", "Arbeitskollegin". */
const KIN_COMPOUND =
  /^\p{L}{3,}(?:tante|onkel|schwester|bruder|mutter|vater|mama|papa|oma|opa|nichte|neffe|cousine?|kolleg(?:e|in)|freund(?:in)?|nachbar(?:in)?|chef(?:in)?|lehrer(?:in)?|trainer(?:in)?|arzt|ärztin|partner(?:in)?|sohn|tochter|leiter(?:in)?|bewohner(?:in)?)$/u;

/** The number of a word's class; none is 0. */
export function wordClassOf(word: string): number {
  return WORD_CLASSES.get(word) ?? (KIN_COMPOUND.test(word) ? KIN_CLASS : 0);
}

const WORD_CLASSES: ReadonlyMap<string, number> = new Map(
  [KIN, TITLES, BEFORE, DOES, GREETING, NAMING]
    .flatMap((words, at) => words.split(" ").map((word) => [word, at + 1] as const))
    .reverse(),
);

/** What people do and things do not, without accents: "will said so". */
const ACTS = new Set(
  "said says told tells asked asks called calls texted wants wanted loves loved hates thinks thought knows knew gave gives invited mentioned lives lived came comes went goes likes liked bought met sagte sagt meint meinte fragt fragte rief kommt kam ging wohnt mochte mag dijo dice quiere vive vino cree piensa".split(
    " ",
  ),
);
/** Before "hope", "joy" and "art" as well. */
const OF_THINGS = /^(?:love|best|thanks?|morning|regards|cheers|call|text|meet|email|lieber?)$/u;
const GREETING_CLASS = 5;

/** Whether a word that may be no name is one by its neighbours.
 * @param isAuxiliary "my sister will", "hello, may" tell nothing */
export function isCalled(before: string, after: string, isAuxiliary: boolean): boolean {
  if (ACTS.has(after)) return true;
  const kind = wordClassOf(before);
  return !isAuxiliary && (kind === KIN_CLASS || kind === TITLE_CLASS || (kind === GREETING_CLASS && !OF_THINGS.test(before)));
}
