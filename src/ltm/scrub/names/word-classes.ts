/** Words beside which persons' names stand, in English, German and Spanish. The model file holds for these. */

/** Relations. */
const KIN =
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

/** From a word to the number of its class; none is 0. */
export const WORD_CLASSES: ReadonlyMap<string, number> = new Map(
  [KIN, TITLES, BEFORE, DOES, GREETING, NAMING]
    .flatMap((words, at) => words.split(" ").map((word) => [word, at + 1] as const))
    .reverse(),
);
export const KIN_CLASS = 1;
export const TITLE_CLASS = 2;
