import { isBlock } from "./element-kinds.ts";
import { type ElementNode, isText } from "./tree.ts";

/** The text of a tree as a reader sees it: a line for each block, nothing else kept of the markup. */
export function plainText(root: ElementNode): string {
  const lines: string[] = [];
  let line = "";
  const end = (): void => {
    const text = line.replace(/ {2,}/g, " ").trim();
    if (text !== "") lines.push(text);
    line = "";
  };
  const visit = (element: ElementNode): void => {
    for (const child of element.childNodes) {
      if (isText(child)) line += child.text;
      else if (child.name === "br" || child.name === "hr") end();
      else if (child.name === "td" || child.name === "th") {
        line += " ";
        visit(child);
      } else if (isBlock(child.name)) {
        end();
        visit(child);
        end();
      } else visit(child);
    }
  };
  visit(root);
  end();
  return lines.join("\n");
}
