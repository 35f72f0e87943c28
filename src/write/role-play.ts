/** Tells what is said in a declared role, which is about the role and not about who plays it. */

import type { Role, Timestamp, TurnId } from "../types.js";
import { placedSentences } from "./sentences.js";

interface PlayedTurn {
  readonly id: TurnId;
  readonly role: Role;
  readonly name?: string;
  readonly text: string;
  readonly at: Timestamp;
  readonly sessionId: string;
}

/** The sentence that declared the role. */
export interface RoleFrame {
  readonly turnId: TurnId;
  readonly role: Role;
  readonly speaker?: string;
  readonly quote: string;
}

/** Written before what was said in a role. */
export const ROLE_MARK = "(role-play, not about the user)";

const PLAY =
  "(?:role[- ]?play|rehears(?:e|al)|re-?enact|act (?:it |this )?out|improvise|practi[sc]e (?:a|an|the|my|our) (?:conversation|dialogue|interview|pitch|sales call|call|scene)|do a mock|mock interview)";
const BEGINS: readonly RegExp[] = [
  new RegExp(
    `\\b(?:let['’]?s|let us|can we|could we|shall we|i(?:['’]d| would) like to|i want to|we(?:['’]re| are) going to|time to|please)\\s+(?:\\p{L}+ ){0,2}?${PLAY}`,
    "iu",
  ),
  /\b(?:i|we)(?:['’]m| am|['’]ll| will|['’]re| are)? (?:play(?:ing)?|be(?:ing)?|act(?:ing)? as|pretend(?:ing)? to be|take (?:on )?the (?:role|part) of|speak(?:ing)? as|talk(?:ing)? as) (?!(?:the )?(?:piano|guitar|violin|cello|drums?|viola|flute|football|soccer|tennis|chess|golf|basketball|in |with |on |at |for |here|back|home|there|late|able|happy|fine|ok))(?:a |an |the |your |my )?(?:\p{L}+ ){0,3}?(?:customer|client|patient|guest|character|interviewer|candidate|applicant|recruiter|boss|manager|teacher|student|doctor|therapist|witness|detective|king|queen|knight|wizard|pirate|captain|villain|hero|buyer|seller|tourist|judge|lawyer|reporter|journalist|caller|tenant|landlord|opponent|role|persona|part)\b/iu,
  /\b(?:in this (?:scene|scenario|story|game|role[- ]?play)|for this (?:scene|role[- ]?play|exercise)|pretend (?:that )?(?:i|we|you)(?:['’]m| am|['’]re| are)|imagine (?:that )?i(?:['’]m| am) (?:a|an|the|called|named)|my (?:character|persona|role)(?:['’]s name)? is|from now on (?:i|you)(?:['’]m| am|['’]re| are) (?:a|an|the|called|named))\b/iu,
  /\b(?:lass uns|wollen wir|können wir) (?:ein )?(?:rollenspiel|proben|üben)|\bich spiele (?:jetzt )?(?:ein(?:e|en)?|den|die) (?:kund|patient|gast|figur|chef|bewerber)|\btu so, als (?:wäre|ob) ich\b|\b(?:vamos a|podemos) (?:ensayar|hacer un juego de rol|actuar)|\bhago de (?:un|una|el|la)? ?(?:cliente|paciente|jefe|personaje)\b|角色扮演|我(?:来)?(?:扮演|演|饰演)|假装我是|假设我是|排练一下/iu,
];
/** "Back to me", "end of the role-play": all is meant again. */
const ENDS =
  /\b(?:rehearsal|role[- ]?play|scene|game|exercise|simulation|act|play|practi[sc]e|improv)(?:['’]s| is)? (?:is )?(?:over|done|finished|ended)\b|\bend (?:of )?(?:the |this |our )?(?:scene|role[- ]?play|rehearsal|game|exercise|simulation)\b|\b(?:stop|quit|finish|enough of|done with) (?:the |this |our )?(?:role[- ]?play(?:ing)?|rehears(?:al|ing)|pretending|acting|scene)\b|\bback to (?:me|myself|reality|normal|being me|real life|us|work|my real)\b|\bout of (?:character|role)\b|\b(?:it['’]s|i['’]m|this is) (?:really |actually )?(?:me|myself) again\b|\b(?:speaking|talking) as myself\b|\bin real life\b|^(?:and )?cut[.!]|\b(?:rollenspiel|probe|szene) (?:ist )?(?:vorbei|zu ende|beendet)\b|\bwieder ich(?: selbst)?\b|\b(?:ensayo|juego de rol|escena) (?:terminad[oa]|acabad[oa])\b|\bvuelvo a ser yo\b|(?:排练|扮演|表演)(?:结束|完了)|回到现实|我又是我/iu;

/** A frame that is open, and the session that it holds for. */
export interface OpenFrame {
  readonly frame: RoleFrame;
  readonly sessionId: string;
}

/** What a turn does to the frame, in the order of its sentences. */
type FrameMark = { readonly begins: string } | "ends";

/** The turns of a conversation come again with every record. */
const read = new WeakMap<PlayedTurn, readonly FrameMark[]>();
/** A longer turn was pasted. */
const MAX_LENGTH = 4_000;

function marksOf(turn: PlayedTurn): readonly FrameMark[] {
  let marks = read.get(turn);
  if (!marks) {
    const sentences = turn.role === "user" && turn.text.length <= MAX_LENGTH ? placedSentences(turn.text) : [];
    marks = sentences.flatMap(({ text }): FrameMark[] => {
      if (ENDS.test(text)) return ["ends"];
      return BEGINS.some((begins) => begins.test(text)) ? [{ begins: text }] : [];
    });
    read.set(turn, marks);
  }
  return marks;
}

/** Whether a sentence ends a role. */
export function endsRole(sentence: string): boolean {
  return ENDS.test(sentence);
}

/** For each turn the frame that it is said in: from the one that declares a role to the one before it is ended, within a session.
 * @param turns of one conversation, oldest first
 * @param begun a frame that is open since before the first of them, and its session */
export function roleFrames(
  turns: readonly PlayedTurn[],
  begun?: OpenFrame,
): { readonly frames: ReadonlyMap<TurnId, RoleFrame>; readonly open?: OpenFrame } {
  const frames = new Map<TurnId, RoleFrame>();
  let open = begun;
  for (const turn of turns) {
    const { id, role, name, sessionId } = turn;
    if (open && open.sessionId !== sessionId) open = undefined;
    const marks = marksOf(turn);
    for (const mark of marks) {
      if (mark === "ends") open = undefined;
      else open ??= { frame: { turnId: id, role, quote: mark.begins, ...(name !== undefined && { speaker: name }) }, sessionId };
    }
    if (open) frames.set(id, open.frame);
  }
  return { frames, ...(open && { open }) };
}
