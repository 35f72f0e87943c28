/** German addresses: "Lindenstraße 14, 10969 Berlin", "Unter den Linden 77", also in small letters. */

import type { AddressForm } from "./whole.js";
import { anyCase, GOES_ON, LINK, LIVES_BEFORE, PART, TOWN, WORD } from "./words.js";

const SUFFIX = anyCase("straße|strasse|str\\.|weg|platz|allee|gasse|ring|damm|ufer|chaussee|steig|pfad");
const SMALL_SUFFIX = "straße|strasse|str\\.|weg|platz|allee|gasse|ring|damm|ufer|chaussee";
const NUMBER = "\\d{1,4} ?[a-z]?(?![\\p{L}\\p{N}])";
/** Seats, detours and ranks have numbers too. */
const NO_STREET =
  /^(?:(?:sitz|steh|park|stell|arbeits|schlaf|lager|spiel|fenster|gang|tabellen|start|studien)platz|(?:um|rück|hin|heim|aus|arbeits)weg|platz|weg|ring|pfad|steig|damm|ufer|(?:bahn|bürger)steig) ?\d/iu;
/** What has a number and stands after "am", "im", "in der". */
const NO_PLACE =
  /^(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|tag|woche|jahre?|monat|uhr|stunde|minute|seite|kapitel|zimmer|raum|gleis|terminal|klasse|folge|staffel|level|stufe|alter|ende|anfang|beispiel|artikel|absatz|paragraph|schritt|punkt|teil|band|etage|stock|stockwerk|spiel|runde|halle|saal|tor|gate|ausgang|linie|bus|zug|flug|phase|version|kurs|test|aufgabe|frage|bild|abbildung|tabelle|zeile|spalte|schnitt|durchschnitt|morgen|abend|nachmittag|vormittag|wochenende|sommer|winter|herbst|frühling|nummer|spätestens|unterschied|vergleich|gegensatz|gespräch|geburtstag|team|xbox|playstation|switch|pixel|galaxy|windows|iphone|mac)$/iu;
/** Where streets lie that are called by it; what else stands there may have a number too: "auf der Playstation 5". */
const LIES = anyCase("unter den|unter der|an der|an den|am|hinter der|hinter dem|vor der|vor dem");
const LIES_PERHAPS = anyCase(
  "auf dem|auf der|im|in der|in den|zum|zur|bei der|beim|über dem|alter|alte|neuer|neue|kleine|große|obere|untere|kurze|lange|hohe",
);
const HOUSE = "\\d{1,3}[a-z]?(?![\\p{L}\\p{N}]|[.,:]\\d)";
const IN_TOWN = /^(?: in \p{Lu}|,? \d{4,5} \p{Lu})/u;

export const GERMAN_ADDRESSES: readonly AddressForm[] = [
  {
    pattern: new RegExp(
      `(?<![\\p{L}])(?:${PART}[ -](?:(?:${LINK}|${PART})[ -]){0,6})?(?:\\p{Lu}\\p{L}{0,40})?(?:${SUFFIX}) ?${NUMBER}(?:${TOWN})?`,
      "gu",
    ),
    accepts: ({ 0: value }) => !NO_STREET.test(value),
  },
  {
    pattern: new RegExp(`(?<![\\p{L}-])\\p{Ll}[\\p{Ll}-]{1,40}(?:${SMALL_SUFFIX}) ?${NUMBER}`, "gu"),
    accepts: ({ 0: value }, { before, after }) =>
      !NO_STREET.test(value) &&
      (/str/u.test(value) || LIVES_BEFORE.test(before)) &&
      (GOES_ON.test(after) || LIVES_BEFORE.test(before)),
    rest: /,? \d{4,5} \p{L}{2,40}(?:-\p{L}{2,40})?/uy,
  },
  {
    pattern: new RegExp(`(?<![\\p{L}])(?:${LIES}) (?<name>${WORD})(?: ${WORD}){0,2} ${HOUSE}`, "gu"),
    accepts: ({ groups = {} }, { before, after }) =>
      !NO_PLACE.test(groups.name ?? "") && (GOES_ON.test(after) || LIVES_BEFORE.test(before)),
    rest: new RegExp(TOWN, "uy"),
  },
  {
    pattern: new RegExp(`(?<![\\p{L}])(?:${LIES_PERHAPS}) (?<name>${WORD})(?: ${WORD}){0,2} ${HOUSE}`, "gu"),
    accepts: ({ groups = {} }, { before, after }) =>
      !NO_PLACE.test(groups.name ?? "") && (IN_TOWN.test(after) || LIVES_BEFORE.test(before)),
    rest: new RegExp(TOWN, "uy"),
  },
  {
    pattern: new RegExp(`(?<![\\p{L}])(?:${LIES}|${LIES_PERHAPS}) (?<name>\\p{Ll}{3,30}) ${HOUSE}`, "gu"),
    accepts: ({ groups = {} }, { before, after }) =>
      !NO_PLACE.test(groups.name ?? "") && GOES_ON.test(after) && LIVES_BEFORE.test(before),
  },
  { pattern: /(?<![\p{L}])(?:PLZ|Postleitzahl)(?: ist|:)? (?<address>\d{4,5})(?!\d)/giu },
];
