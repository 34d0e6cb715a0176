/** Names of languages, in themselves and in English, as books and courses state theirs. */
export const languageNames = new Set(
  (
    "english german french spanish italian portuguese dutch swedish norwegian danish finnish polish czech russian " +
    "ukrainian greek turkish arabic hebrew chinese japanese korean hindi hungarian romanian bulgarian croatian latin " +
    "catalan irish welsh icelandic vietnamese thai indonesian deutsch englisch französisch spanisch italienisch " +
    "français anglais allemand espagnol español inglés alemán francés italiano inglese tedesco nederlands engels duits " +
    "português svenska norsk dansk suomi polski русский українська türkçe العربية עברית 中文 日本語 한국어"
  ).split(" "),
);
