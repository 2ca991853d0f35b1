/** The scripts of Unicode 15.1 whose letters people read, by their names in regular expressions. */
const SCRIPTS = (
  "Latin Cyrillic Greek Han Hiragana Katakana Hangul Bopomofo Arabic Hebrew Devanagari Thai Georgian " +
  "Armenian Adlam Ahom Anatolian_Hieroglyphs Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki " +
  "Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee " +
  "Chorasmian Coptic Cuneiform Cypriot Cypro_Minoan Deseret Dives_Akuru Dogra Duployan " +
  "Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Glagolitic Gothic Grantha Gujarati Gunjala_Gondi " +
  "Gurmukhi Hanifi_Rohingya Hanunoo Hatran Imperial_Aramaic Inscriptional_Pahlavi " +
  "Inscriptional_Parthian Javanese Kaithi Kannada Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khmer " +
  "Khojki Khudawadi Lao Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam " +
  "Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive " +
  "Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari " +
  "New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic " +
  "Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya " +
  "Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic " +
  "Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo " +
  "Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut " +
  "Telugu Thaana Tibetan Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi " +
  "Zanabazar_Square"
).split(" ");

/** A letter of a later version of Unicode: such letters go with one another, and with no other script. */
const LATER = "a script of a later version of Unicode";

/** Writing systems of several scripts, which also go with Latin: "highly restrictive" of Unicode TS 39. */
const SYSTEMS: ReadonlyMap<string, readonly string[]> = new Map([
  ["Han", ["Japanese", "Chinese", "Korean"]],
  ["Hiragana", ["Japanese"]],
  ["Katakana", ["Japanese"]],
  ["Bopomofo", ["Chinese"]],
  ["Hangul", ["Korean"]],
]);
const WITH_LATIN: ReadonlySet<string> = new Set([...SYSTEMS.values()].flat());

/** Two characters of one word whose scripts do not go together. */
export interface MixedScripts {
  readonly first: string;
  readonly firstScript: string;
  readonly other: string;
  readonly otherScript: string;
}

const ASCII = /^[\0-\x7f]*$/;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const NEUTRAL = /[\p{Script_Extensions=Common}\p{Script_Extensions=Inherited}]/u;
const ALSO_LATIN = /\p{Script_Extensions=Latin}/u;

/**
 * The first word of the text that mixes scripts; null when none does. A word is a run of letters, marks and
 * numbers. It may be in one script, or in those of Japanese, Chinese or Korean, with or without Latin.
 */
export function mixedScripts(text: string): MixedScripts | null {
  for (const [word] of text.matchAll(WORD)) {
    const mixed = ASCII.test(word) ? null : mixedIn(word);
    if (mixed !== null) return mixed;
  }
  return null;
}

function mixedIn(word: string): MixedScripts | null {
  const characters = Array.from(word).filter((one) => !NEUTRAL.test(one));
  const latin = characters.find((one) => LATIN.test(one));
  const rest = characters.filter((one) => !ALSO_LATIN.test(one));
  const [first] = rest;
  if (first === undefined) return null;
  let systems = systemsOf(first);
  for (const other of rest) {
    const common = systems.filter((system) => belongsTo(other, system));
    if (common.length === 0) return mixOf(first, other);
    systems = common;
  }
  return latin === undefined || systems.some((system) => WITH_LATIN.has(system)) ? null : mixOf(latin, first);
}

function mixOf(first: string, other: string): MixedScripts {
  const [firstScript = LATER] = scriptsOf(first);
  const [otherScript = LATER] = scriptsOf(other);
  return { first, firstScript, other, otherScript };
}

/** The scripts that a character is used in, and the writing systems of several scripts that have these. */
function systemsOf(character: string): readonly string[] {
  const scripts = scriptsOf(character);
  return [...scripts, ...scripts.flatMap((script) => SYSTEMS.get(script) ?? [])];
}

function scriptsOf(character: string): readonly string[] {
  const scripts = SCRIPTS.filter((script) => patternOf(script).test(character));
  return scripts.length === 0 ? [LATER] : scripts;
}

function belongsTo(character: string, system: string): boolean {
  if (!WITH_LATIN.has(system))
    return system === LATER ? isLater(character) : patternOf(system).test(character);
  for (const [script, systems] of SYSTEMS)
    if (systems.includes(system) && patternOf(script).test(character)) return true;
  return false;
}

function isLater(character: string): boolean {
  return scriptsOf(character)[0] === LATER;
}

const patterns = new Map<string, RegExp>();

function patternOf(script: string): RegExp {
  const known = patterns.get(script);
  if (known !== undefined) return known;
  const pattern = new RegExp(`\\p{Script_Extensions=${script}}`, "u");
  patterns.set(script, pattern);
  return pattern;
}
