/** Characters that look like others, or are written for them. Data, no logic. */

const pairs = (ones: string, others: string): (readonly [string, string])[] => {
  const shown = [...others];
  return [...ones].map((one, at) => [one, shown[at] ?? one] as const);
};

/** Letters of other scripts, small capitals and phonetic letters, by the Latin ones that they look like. */
export const ALIKE: ReadonlyMap<string, string> = new Map([
  ...pairs("аеорсухіјѕԁһԛԝвкмнтгпАВЕКМНОРСТУХІЈЅԌԚԜ", "aeopcyxijsdhqwbkmhtrnABEKMHOPCTYXIJSGQW"),
  ...pairs("αονρτυικχγεωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aovptuikxyewABEZHIKMNOPTYX"),
  ...pairs("ıɑɡɩʟɪɴʀᴀʙᴄᴅᴇꜰɢʜᴊᴋʟᴍᴏᴘꜱᴛᴜᴠᴡʏᴢ", "iagilinrabcdefghjklmopstuvwyz"),
]);
/** Whether a text may hold one of them within a word of Latin letters. */
export const MAYBE_ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}ıɑɡɩʟɪɴʀᴀʙᴄᴅᴇꜰɢʜᴊᴋᴍᴏᴘꜱᴛᴜᴠᴡʏᴢ]/u;

/** Letters that are no other letter with a mark, by what stands for them without one. */
export const UNMARKED: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["þ", "th"],
  ...pairs("øłđðħŧ", "olddht"),
]);

/** Signs, each of one UTF-16 unit, that are written for another: dashes, and what is as wide as a Chinese character. */
export const SIGNS: ReadonlyMap<string, string> = new Map([
  ...pairs("‐‑‒–—―−˗⁃﹘﹣－⸺⸻", "--------------"),
  ...pairs("＋．＠／＿％＝＆＃＇（）［］：﹒﹫․∕⁄，？", "+.@/_%=&#'()[]:.@.//,?"),
]);
