/** Which sentences of a turn are never worth keeping, by plain rules; `gate-stream.ts` chooses among the others. */

import type { RefusalReason, Role } from "../types.js";

export type Verdict = "keep" | Extract<RefusalReason, "question" | "small-talk" | "not-salient" | "empty">;

const list = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words of greetings, thanks and assent: a sentence of nothing else is small talk. */
const FILLERS = list(
  "hey hi hello hiya howdy greetings yo wow whoa oh ah aw aww ooh yay haha hahaha lol hmm hm uh um well yes yeah yep yup no nope nah ok okay k kk sure right exactly true " +
    "absolutely definitely totally certainly indeed course alright cool great awesome amazing nice good fine perfect wonderful fantastic lovely brilliant excellent incredible super " +
    "beautiful interesting fun funny cute sweet impressive inspiring touching sad sorry thanks thank thx ty cheers please welcome congrats congratulations bye goodbye later soon " +
    "morning afternoon evening night day weekend week noted understood gotcha got agreed deal done it its it's that that's this is was are be sounds sound looks look seems so such " +
    "very really pretty much too a an the of for to and or i i'm you you're your me my we us all again lot lots one what how must have has take care talk see chat catch up hear heard " +
    "know know glad happy love wait can't keep going go work luck way things thing time everything help helping sharing advice tips suggestions info information recommendation " +
    "recommendations there here back on at in up with about as always " +
    // German
    "hallo servus moin tschüss tschau danke dankeschön bitte ja nein doch gut super toll prima klasse schön genau stimmt gerne gern alles klar guten tag abend nacht bis bald dann sehr vielen dank das ist ach so " +
    // Spanish
    "hola buenas buenos días tardes noches adiós hasta luego gracias muchas de nada sí vale claro genial perfecto qué bien bueno muy estupendo por favor",
);

/** Chinese greetings, thanks, assent and particles; what is left without them says something. */
const CHINESE_FILLERS =
  /你好|您好|大家好|早上好|下午好|晚上好|早安|晚安|谢谢|多谢|感谢|再见|拜拜|没问题|没事|没错|不客气|收到|明白|知道|可以|厉害|不错|有趣|可爱|真的|辛苦|加油|哈喽|一下|[嗨好行嗯哦噢啊哈呵嘿哇太真很棒赞是不的对吗你了吧呀呢，。！!~～、…\s]/gu;
const HAN = /\p{Script=Han}/u;

const THANKS = /^(?:(?:many )?thanks|thank you|thx|cheers|(?:vielen )?dank[e]?|(?:muchas )?gracias)(?!\p{L})/iu;
const FIRST_PERSON =
  /(?<![\p{L}'’])(?:i|i['’](?:m|ve|d|ll)|my|mine|me|myself|we|we['’](?:re|ve|d|ll)|our|us|ich|mein\p{L}{0,2}|mir|mich|wir|uns\p{L}{0,4}|yo|mi|mis|nosotros|nuestr\p{L}{1,2}|me)(?![\p{L}])|[我咱]/iu;
const QUESTION_END = /[?？؟](?:["'”’»)\]\s*_\p{Extended_Pictographic}]|\u200d|\ufe0f)*$/u;
/** Questions whose mark was left out. */
const QUESTION_START =
  /^(?:and |so |but |ok(?:ay)?,? |hey,? |hi,? )?(?:(?:can|could|would|will) you|(?:do|did|are|were|have) you|what (?:is|are|was|were|should|do|does|did|can|would|about)|what['’]s|where (?:is|are|can|do|did|should)|how (?:do|did|can|could|should|would|much|many|is|are|was|about|come)|when (?:is|are|did|do|does|will)|who (?:is|are|was|did)|why (?:is|are|do|did|does|not)|which (?:one|of)|is there|are there|any (?:idea|tips|suggestions|recommendations|advice))\b/iu;
const CHINESE_QUESTION = /(?:吗|呢|什么|怎么样?|如何|为什么|哪里|哪儿|哪个|谁|几点|多少)[。！!\s]*$/u;
/** Wishes at the assistant: what to do, not what is. */
const REQUEST =
  /^(?:(?:please|pls|now|ok(?:ay)?|hey|hi|so|and|also|then|great|thanks)[,!.]? )*(?:please|pls|recommend|suggest|write|rewrite|rephrase|explain|translate|summari[sz]e|generate|create|draft|give me|tell me|show me|help me|list|describe|compare|calculate|convert|fix|provide|act as|imagine|continue|let me know|i (?:want|need|would like|['’]d like) you to|bitte|schreib|erkläre|empfiehl|gib mir|zeig mir|por favor|escribe|explica|recomienda|dame|dime)\b|^(?:请|帮我|给我|告诉我|推荐|写一|翻译)/iu;
/** Said to be kept, whatever else it looks like. */
export const REMEMBER =
  /\b(?:remember|note|don['’]t forget|do not forget|keep in mind|for the record|fyi|merk dir|vergiss nicht|recuerda|no olvides)\b|记住|记得|别忘/iu;
/** What assistants wrap their answers in. */
const ASSISTANT_FRAME =
  /^(?:let me know|feel free|i hope|hope (?:this|that|it|you)|happy to help|glad (?:to|i)|i['’]m (?:glad|happy|sorry|here)|i['’]d be happy|if you (?:have|need|want|would)|as an ai|i['’]m an ai|you['’]re (?:very |most )?welcome|here (?:are|is|['’]s)|sure|of course|certainly|absolutely|great (?:question|choice)|that['’]s (?:great|wonderful|a great)|thank you for|thanks for|enjoy|have (?:a|fun)|good luck|congratulations|noted|understood|got it|please let|remember,? i['’]m)\b/iu;
/** A line that a machine wrote: a time stamp or level first, a stack frame, a fence, a rule, a table. */
const MACHINE_LINE =
  /^(?:\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}|\[?\d{2}:\d{2}:\d{2}|\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|TRACE|FATAL)\b[\]:]?|\s*at \S+ ?\(|Traceback |File "|```|~~~|[-=*_#|+]{3,}|\||[{}[\]();<>]+$|<\/?\w+[^>]*>$|(?:import|const|let|var|def|class|function|return|public|private|#include)\b.*[;:{(]$)/u;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;
/** Longer than any greeting. */
const MAX_SMALL_TALK = 160;
/** Short reactions have at most so many words and nothing of their own. */
const MAX_FILLER_WORDS = 14;

function isQuestion(sentence: string): boolean {
  return (
    QUESTION_END.test(sentence) || (sentence.length < 300 && (QUESTION_START.test(sentence) || CHINESE_QUESTION.test(sentence)))
  );
}

/** Whether a sentence greets, thanks or reacts and says nothing. @param names words that count as fillers: whom one talks to */
export function isSmallTalk(sentence: string, names: ReadonlySet<string> = new Set()): boolean {
  if (sentence.length > MAX_SMALL_TALK) return false;
  if (HAN.test(sentence) && sentence.replace(CHINESE_FILLERS, "") === "") return true;
  const words = sentence.match(WORD) ?? [];
  if (words.length === 0) return true;
  if (words.length > MAX_FILLER_WORDS || /\d/u.test(sentence)) return false;
  if (THANKS.test(sentence) && !FIRST_PERSON.test(sentence.replace(THANKS, ""))) return true;
  return words.every((word) => {
    const lower = word.toLowerCase().replaceAll("’", "'");
    return FILLERS.has(lower) || names.has(lower) || names.has(lower.replace(/'s$/u, ""));
  });
}

/** Words of a script without spaces count by their characters. */
function isTooShort(sentence: string): boolean {
  const letters = sentence.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters < 2;
}

/** What becomes of one sentence of a turn.
 * @param names lower-case names of the speakers */
export function judgeSentence(sentence: string, role: Role, names: ReadonlySet<string>): Verdict {
  if (sentence.trim() === "") return "empty";
  if (isTooShort(sentence)) return "small-talk";
  if (MACHINE_LINE.test(sentence)) return "not-salient";
  if (isQuestion(sentence)) return "question";
  if (isSmallTalk(sentence, names)) return "small-talk";
  if (role === "assistant")
    return sentence.length < 200 && !/\d/u.test(sentence) && ASSISTANT_FRAME.test(sentence) ? "small-talk" : "keep";
  if (REMEMBER.test(sentence)) return "keep";
  return REQUEST.test(sentence) ? "question" : "keep";
}

/** What a person says of themselves in passing: what they have, are or did. */
const OWN =
  /(?<!\p{L})(?:my \p{L}+|i(?:['’]m| am| was|['’]ve| have| had| own| used| just| like| love| live| work)|we(?:['’]re| are|['’]ve| have)|mein\p{L}{0,2} \p{L}+|ich (?:habe|bin|war)|mi \p{L}+|(?:estoy|soy|tengo|he))(?!\p{L})|我的|我家|我[有是在]/iu;

/** Whether a question or request tells something too: "any tips for my sister's wedding in May?" */
export const tellsInAsking = (sentence: string): boolean => OWN.test(sentence);

export const isFirstPerson = (sentence: string): boolean => FIRST_PERSON.test(sentence);
