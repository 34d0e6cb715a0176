const kinds = {
  full: /full[\s_-]?time|vollzeit|temps (?:plein|complet)|(?:jornada|tiempo) completa?|tempo pieno|voltijd|fulltime/i,
  part: /part[\s_-]?time|teilzeit|temps partiel|media jornada|(?:jornada|tiempo) parcial|deeltijd|parttime/i,
  intern: /\bintern(?:ship)?\b|praktik(?:um|ant)|\bstage\b|prácticas|tirocinio/i,
  temporary: /temporary|befristet|\bCDD\b|temporal|determinato|tijdelijk|seasonal/i,
  contractor: /contractor|freelance|\bcontract\b|autónomo|zzp/i,
  permanent: /permanent|unbefristet|\bCDI\b|indefinido|indeterminato|vast dienstverband/i,
  volunteer: /volunteer|ehrenamt|bénévol|voluntari/i,
};
export type Employment = keyof typeof kinds;

/** The kind of employment that a text names in one of six languages; the hours first. */
export function employmentIn(text: string): Employment | undefined {
  return (Object.keys(kinds) as Employment[]).find(kind => kinds[kind].test(text));
}
