import { markedLine } from "../../../../services/domain/history/marked-line.ts";

const part = (kind: "same" | "added" | "removed", text: string) => ({ kind, text });

test.each([
  [{ kind: "same", parts: [part("same", "Ferries")] } as const, "  Ferries"],
  [{ kind: "added", parts: [part("added", "New pier")] } as const, "+ New pier"],
  [{ kind: "removed", parts: [part("removed", "Old pier")] } as const, "- Old pier"],
  [{ kind: "moved", parts: [part("same", "Timetable")] } as const, "> Timetable"],
  [
    {
      kind: "changed",
      parts: [part("same", "Fare "), part("removed", "4"), part("added", "5"), part("same", " €")],
    } as const,
    "~ Fare [-4-]{+5+} €",
  ],
  [{ kind: "gap", parts: [], skipped: 12 } as const, "  … 12 lines"],
])("%j", (line, text) => {
  expect(markedLine(line)).toBe(text);
});
