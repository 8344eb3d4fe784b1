import ts from "typescript";

/** A place where the text of a statement is put together at run time. */
export type BuiltSql = { line: number; kind: "raw" | "template" | "concatenation" | "variable"; code: string };

/** Kysely's functions that put their argument into the text; the others bind values. */
const rawBuilders = new Set(["raw", "lit", "id", "ref", "table", "join"]);
/** Methods of SQLite's and PostgreSQL's own clients that take the text of a statement. */
const textMethods = new Set(["exec", "prepare", "query"]);
const statement = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|TRUNCATE|PRAGMA|WITH|ATTACH|VACUUM|COPY|SET|SHOW|BEGIN|LOCK|DECLARE)\s/i;

const isFixed = (node: ts.Expression): boolean => ts.isStringLiteralLike(node);

/** The first text of a template or of a sum of texts. */
function beginningOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) return node.head.text;
  if (ts.isBinaryExpression(node)) return beginningOf(node.left);
  return "";
}

const isSum = (node: ts.Node): node is ts.BinaryExpression => ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;

/** Constants of the file that are one fixed text. */
function fixedNames(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer && isFixed(node.initializer)) {
      const isConst = ts.isVariableDeclarationList(node.parent) && (node.parent.flags & ts.NodeFlags.Const) !== 0;
      if (isConst) names.add(node.name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return names;
}

/** Finds statements that are not fixed texts or Kysely's own: by the calls that take them, and by how they begin. */
export function findBuiltSql(source: string): BuiltSql[] {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true);
  const fixed = fixedNames(file);
  const found = new Map<ts.Node, BuiltSql>();
  const note = (node: ts.Node, kind: BuiltSql["kind"]) =>
    found.set(node, { line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, kind, code: node.getText().replaceAll(/\s+/g, " ").slice(0, 100) });

  function judgeText(node: ts.Expression): void {
    if (isFixed(node)) return;
    if (ts.isTemplateExpression(node)) note(node, "template");
    else if (isSum(node)) note(node, "concatenation");
    else if (!(ts.isIdentifier(node) && fixed.has(node.text))) note(node, "variable");
  }

  function judgeCall(call: ts.CallExpression): void {
    if (!ts.isPropertyAccessExpression(call.expression)) return;
    const { name, expression: receiver } = call.expression;
    const [first] = call.arguments;
    if (first === undefined) return;
    if (receiver.getText() === "sql" && rawBuilders.has(name.text) && !isFixed(first)) note(call, "raw");
    if (!textMethods.has(name.text)) return;
    // A regular expression has exec too, and is followed by what it found or is not a client's name.
    const isClient = name.text !== "exec" || /^(?:database|file|copy|source|db|client|sqlite|this\.\w+)$/.test(receiver.getText());
    if (isClient) judgeText(first);
  }

  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) judgeCall(node);
    const isTagged = ts.isTaggedTemplateExpression(node.parent ?? node);
    const isText = (ts.isTemplateExpression(node) && !isTagged) || (isSum(node) && !isSum(node.parent));
    if (isText && !found.has(node) && statement.test(beginningOf(node))) judgeText(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...found.values()].toSorted((a, b) => a.line - b.line);
}
