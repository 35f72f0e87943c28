/** Rows that were sound once but lack what is asked of a row today, as an older version may have written them: filled as far as they go. */
import type { ConversationId, Entry, Turn } from "../types.js";
import { KINDS } from "./checks.js";
import { isNumber, isRecord, isText } from "./row-shapes.js";

/** Where a row does not say: the conversation of calls that name none, and a session that no other row is in. */
const CONVERSATION = "default" as ConversationId;
const SESSION = "salvaged";
/** Midway from 0 to 1. */
const SALIENCE = 0.5;

/** A turn without a time takes what time it has, else the beginning of time: nothing says that it is recent. */
export function filledTurn(given: Turn): Turn {
  const [at = 0] = [given.at, given.recordedAt].filter(isNumber);
  return {
    ...given,
    ...filledPlace(given),
    sequence: isNumber(given.sequence) ? given.sequence : 0,
    role: isText(given.role) ? given.role : "user",
    at,
    recordedAt: isNumber(given.recordedAt) ? given.recordedAt : at,
  };
}

/** An entry that names no text to search is found by the one that it shows. What may be absent and makes no sense goes. */
export function filledEntry(given: Entry): Entry {
  const { validTo, consolidatedAt, consolidatedByEngineAt, eventTime, ...rest } = given;
  const [saidAt = 0] = [given.saidAt, given.createdAt, given.validFrom].filter(isNumber);
  return {
    ...rest,
    ...filledPlace(given),
    revision: Number.isInteger(given.revision) && given.revision > 0 ? given.revision : 1,
    subject: isText(given.subject) ? given.subject : "user",
    indexText: typeof given.indexText === "string" ? given.indexText : given.text,
    kind: KINDS.has(given.kind) ? given.kind : "fact",
    tags: listed(given.tags),
    identifiers: listed(given.identifiers),
    sources: listed(given.sources),
    saidAt,
    createdAt: isNumber(given.createdAt) ? given.createdAt : saidAt,
    validFrom: isNumber(given.validFrom) ? given.validFrom : saidAt,
    salience: isNumber(given.salience) ? given.salience : SALIENCE,
    evidence: isNumber(given.evidence) ? given.evidence : 1,
    ...(isNumber(validTo) && { validTo }),
    ...(isNumber(consolidatedAt) && { consolidatedAt }),
    ...(isNumber(consolidatedByEngineAt) && { consolidatedByEngineAt }),
    ...(isRecord(eventTime) && isNumber(eventTime.from) && isNumber(eventTime.to) && { eventTime }),
  };
}

function filledPlace({ conversationId, sessionId }: Turn | Entry): Pick<Turn, "conversationId" | "sessionId"> {
  return {
    conversationId: isText(conversationId) ? conversationId : CONVERSATION,
    sessionId: isText(sessionId) ? sessionId : SESSION,
  };
}

function listed<T>(list: readonly T[]): readonly T[] {
  return Array.isArray(list) ? list : [];
}
