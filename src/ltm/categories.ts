/** Kinds of things that people collect in their lives: how somebody says that they have one more, and the words by which others ask
 * for all of them. Data. */

export interface Category {
  /** In the plural. */
  readonly name: string;
  /** Words of a question that asks for them. */
  readonly asked: string;
  /** What somebody says who has one more: its named group is the one. */
  readonly said: RegExp;
  /** Its instances come again under the same name, so each is a node of its own; of the others every one would be, and they stay
   * with the memories that support the category. */
  readonly isNamed?: true;
}

/** The object of a verb: up to four words that are neither a clause nor a connection to one. */
const THING = String.raw`(?<one>(?!(?:to|it|that|this|them|me|us|him|her|you|so|very|really|just|not|all|some|one|up|out|in|on|at|for|with|about)\b)[\p{L}'’-]+(?:\s(?!(?:and|but|or|so|because|when|while|which|who|that|to|at|in|on|with|for|from|until|till|since|before|after|than|as|by|my|your|his|her|our|their|last|this|next|yesterday|today|tonight|tomorrow|recently|is|was|are|were|it|i)\b)[\p{L}'’-]+){0,3})`;
const DET = String.raw`(?:(?:a|an|the|some|my|our|this|that|these|another|new|few|lot of|bunch of|couple of)\s)*`;
const TITLE = `["“](?<one>[^"”]{2,60})["”]`;
const PLACE = String.raw`(?<one>\p{Lu}[\p{L}'’-]+(?:\s(?:(?:of|de|la|el|the)\s){0,2}\p{Lu}[\p{L}'’-]+){0,3})`;

const said = (verbs: string, object: string, flags = "iu"): RegExp =>
  new RegExp(String.raw`(?<!\p{L})(?:${verbs})\s${object}`, flags);

export const CATEGORIES: readonly Category[] = [
  {
    name: "activities",
    isNamed: true,
    asked: "activity hobby pastime interest sport exercise leisure relax destress unwind fun participate partake enjoy",
    said: /(?<!\p{L})(?:go|goes|going|went|gone|love|loves|loved|enjoy|enjoys|enjoyed|enjoying|started|start|tried|try|trying|practice|practicing|practise|into|like|doing|do|did|does)\s(?<one>(?!(?:something|anything|everything|nothing|being|having|doing|going|getting|seeing|thing|feeling|making|morning|evening|using|taking|looking|coming|bring|spring|king|string)\b)\p{L}{2,}ing)(?!\p{L})|(?<!\p{L})(?:signed up for|took up|take up|taking up|picked up|got into|getting into)\s(?:a|an|the|some)?\s?(?<two>\p{L}[\p{L}-]{2,}(?:\s(?:class|classes|lessons?|course|workshop|training))?)/iu,
  },
  {
    name: "places visited",
    isNamed: true,
    asked: "place country city state town area destination location travel trip vacation holiday visit go been tour camp where",
    said: said(
      "visit|visited|visiting|went to|been to|trip to|travel to|travelled to|traveled to|moved to|flew to|drove to|vacation in|holiday in|weekend in|back from|tour of|explored|in",
      PLACE,
      "u",
    ),
  },
  {
    name: "books and stories",
    isNamed: true,
    asked: "book novel story author read reading series",
    said: new RegExp(
      String.raw`(?<!\p{L})(?:read|reading|reread|finished|book|novel|author|series)(?:\s[\p{L}'’-]+){0,3},?\s${TITLE}|${TITLE.replace("one", "two")}(?:\s[\p{L}'’-]+){0,3}\s(?:book|novel|author)`,
      "iu",
    ),
  },
  {
    name: "films and shows",
    isNamed: true,
    asked: "movie film show series watch tv documentary cinema",
    said: new RegExp(
      String.raw`(?<!\p{L})(?:watch|watched|watching|saw|seen|movie|film|show|series)(?:\s[\p{L}'’-]+){0,3},?\s${TITLE}|${TITLE.replace("one", "two")}(?:\s[\p{L}'’-]+){0,3}\s(?:movie|film|show)`,
      "iu",
    ),
  },
  {
    name: "music",
    isNamed: true,
    asked: "music song artist band musician concert instrument listen play singer musical",
    said: said(
      "listen to|listening to|listened to|concert by|concert of|fan of|seen|saw|play|playing|played|plays|learning|practice|practicing",
      String.raw`(?:the\s|some\s|live\s)?(?<one>violin|piano|guitar|drums?|cello|flute|clarinet|saxophone|sax|trumpet|harp|ukulele|bass|keyboard|\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+){0,3})`,
      "u",
    ),
  },
  {
    name: "things made",
    asked: "art artwork paint painting draw create make made craft pottery design build project write",
    said: said(
      "painted|painting|drew|drawing|made|making|created|creating|built|building|designed|designing|wrote|writing|sewed|knitted|carved|sculpted",
      DET + THING,
    ),
  },
  {
    name: "food",
    asked: "food dish meal eat cook bake recipe drink snack dessert cuisine restaurant ingredient",
    said: said(
      "ate|eat|eating|cook|cooked|cooking|bake|baked|baking|tasted|drink|drank|made|recipe for|grilled|roasted",
      DET + THING,
    ),
  },
  {
    name: "things bought and owned",
    asked: "buy bought purchase item own gift present got collect collection receive have",
    said: said("bought|purchased|ordered|picked up|got|received|gave me|collect|collecting|own|buy|buying", DET + THING),
  },
  {
    name: "pets and animals",
    isNamed: true,
    asked: "pet animal dog cat name breed puppy kitten",
    said: /(?<!\p{L})(?:dogs?|cats?|puppy|pup|puppies|kittens?|kitty|pets?|rabbit|bunny|hamster|parrot|turtle|horse|pony|guinea pig|bird|fish|goldfish|lizard|snake)(?:,?\s(?:named|called|is|was|are|whose name|name)){0,3},?\s(?<one>\p{Lu}\p{Ll}+(?:(?:,|\sand)\s\p{Lu}\p{Ll}+)*)|(?<!\p{L})(?:adopted|rescued|have|has|got|own)\s(?:a|an|two|three|four|some|my|our|another)\s(?:\p{L}+\s)?(?<two>dogs?|cats?|puppy|pup|puppies|kittens?|rabbits?|bunny|hamsters?|parrots?|turtles?|horses?|ponies|birds?|fish|lizards?|snakes?)/u,
  },
  {
    name: "events attended",
    asked: "event attend attended join participate festival conference meeting group community take part celebrate support",
    said: said(
      "attended|attending|attend|joined|joining|join|took part in|taking part in|participated in|participating in|volunteered at|volunteering at|volunteer at|went to|hosted|organized|organised|celebrated|invited to|spoke at",
      DET + THING,
    ),
  },
  {
    name: "work and studies",
    asked: "work job career study degree course major business company field profession start company",
    said: said(
      "work as|working as|worked as|job as|job at|work at|studied|studying|study|majoring in|majored in|degree in|applied for|applying for|hired as|started my own|opened my own|opening my own|certificate in|career in|internship at",
      DET + THING,
    ),
  },
  {
    name: "plans and goals",
    asked: "plan goal dream want hope future intend aspire aim",
    said: said(
      "want to|wants to|plan to|planning to|planning on|hope to|hoping to|going to|looking forward to|dream of|dreaming of|thinking of|thinking about|goal is to|would love to",
      String.raw`(?<one>[\p{L}'’-]+(?:\s[\p{L}'’-]+){0,3})`,
    ),
  },
  {
    name: "family and friends",
    isNamed: true,
    asked:
      "family friend child children kid son daughter sister brother mother father parent husband wife partner cousin relative people",
    said: /(?<!\p{L})(?:my|our)\s(?:[\p{L}-]+\s)?(?<one>family|friends?|best friend|kids?|child(?:ren)?|sons?|daughters?|sisters?|brothers?|mom|mum|mother|dad|father|parents|husband|wife|partner|girlfriend|boyfriend|fiancée?|cousins?|aunts?|uncles?|grand(?:ma|pa|mother|father|parents|kids|son|daughter)|nieces?|nephews?|colleagues?|neighbou?rs?|roommates?|mentor|coach|teammates?)(?!\p{L})/iu,
  },
  {
    name: "health and hardships",
    asked:
      "health problem injury illness issue struggle challenge difficulty setback accident sick hurt condition suffer symptom",
    said: said(
      "injured|hurt|broke|sprained|diagnosed with|suffering from|suffer from|struggling with|struggled with|struggle with|recovering from|allergic to|sick with|lost|dealing with|surgery on",
      DET + THING,
    ),
  },
  {
    name: "likes",
    asked: "like love favorite favourite prefer enjoy fan preference",
    said: said(
      "love|loves|loved|like|likes|enjoy|enjoys|adore|prefer|prefers|fan of|fond of|obsessed with|addicted to|favou?rite [\\p{L}]+ is|favou?rite is",
      DET + THING,
    ),
  },
];
