// Which faults can be planted in a source, found in its syntax tree.
import ts from "typescript";

export type Operator = "drop" | "negate" | "always" | "never" | "compare" | "and-or" | "more" | "less" | "return" | "without" | "flip" | "unchain";

/** Replaces `[start, end)` of the source. `was` is what the fault is about; `within` are the named functions around it, outermost first. */
export type Mutation = { operator: Operator; start: number; end: number; to: string; was: string; within: readonly string[]; line: number };

export type Source = { text: string; tree: ts.SourceFile };

export function parse(path: string, text: string): Source {
  return { text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

/** Whether the text can be read at all: Node strips the types and does not check them. */
export function parses(path: string, text: string): boolean {
  const { parseDiagnostics } = parse(path, text).tree as ts.SourceFile & { parseDiagnostics: readonly unknown[] };
  return parseDiagnostics.length === 0;
}

const comparisons = new Map([
  [ts.SyntaxKind.LessThanToken, "<="],
  [ts.SyntaxKind.LessThanEqualsToken, "<"],
  [ts.SyntaxKind.GreaterThanToken, ">="],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">"],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
]);

/** Links of a chain that narrow what a statement does, or guard it. */
const narrowing = new Set(["where", "whereRef", "having", "limit", "forUpdate", "forShare", "filter"]);

const isAndOr = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken].includes(node.operatorToken.kind);

const isSum = (node: ts.Node): node is ts.BinaryExpression => ts.isBinaryExpression(node) && [ts.SyntaxKind.PlusToken, ts.SyntaxKind.MinusToken].includes(node.operatorToken.kind);

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration & { body: ts.Node } => ts.isFunctionLike(node) && "body" in node && node.body !== undefined;

const isNamed = (node: ts.Node): node is ts.Node & { name?: ts.Node } =>
  [ts.isFunctionDeclaration, ts.isMethodDeclaration, ts.isClassDeclaration, ts.isAccessor, ts.isVariableDeclaration, ts.isPropertyAssignment, ts.isPropertyDeclaration].some((is) => is(node));

/** The names of the functions, constants and properties around a node, from the outermost in. */
export function namesAround(node: ts.Node): string[] {
  const names: string[] = [];
  for (let each = node; !ts.isSourceFile(each); each = each.parent) if (isNamed(each) && each.name) names.unshift(each.name.getText());
  return names;
}

/** A statement that can be left out: a call, an assignment, a guard that throws or returns, a loop or condition around one of these. */
function isDroppable(node: ts.Node): node is ts.Statement {
  if (ts.isExpressionStatement(node)) return true;
  if (ts.isForOfStatement(node)) return isDroppable(node.statement);
  if (!ts.isIfStatement(node) || node.elseStatement) return false;
  const then = ts.isBlock(node.thenStatement) ? node.thenStatement.statements.at(-1) : node.thenStatement;
  return then !== undefined && (ts.isThrowStatement(then) || ts.isReturnStatement(then) || ts.isContinueStatement(then) || ts.isExpressionStatement(then));
}

function conditionOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) return node.expression;
  return ts.isConditionalExpression(node) || ts.isForStatement(node) ? node.condition : undefined;
}

/** Every fault that the operators make of a source, in its order. */
export function listMutations({ text, tree }: Source): Mutation[] {
  const found: Mutation[] = [];
  const add = (operator: Operator, node: ts.Node, to: string, range: { start?: number; end?: number } = {}): void => {
    const start = range.start ?? node.getStart();
    const end = range.end ?? node.getEnd();
    found.push({ operator, start, end, to, was: node.getText(), within: namesAround(node), line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
  };

  /** Leaves one element of a list out, with a comma beside it. */
  const leaveOut = (elements: readonly ts.Node[]): void => {
    elements.forEach((element, index) => {
      const next = elements[index + 1];
      const previous = elements[index - 1];
      if (next) add("without", element, "", { end: next.getStart() });
      else add("without", element, "", previous ? { start: previous.getEnd() } : {});
    });
  };

  const visit = (node: ts.Node): void => {
    // Types are stripped before anything runs.
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node)) return;
    const condition = conditionOf(node);
    if (condition) {
      add("negate", condition, `!(${condition.getText()})`);
      // A loop that never ends says nothing about its condition.
      if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) add("always", condition, "true");
      add("never", condition, "false");
    }
    if (isDroppable(node)) add("drop", node, ";");
    if (ts.isBinaryExpression(node)) {
      const other = comparisons.get(node.operatorToken.kind);
      const operator = { start: node.operatorToken.getStart(), end: node.operatorToken.getEnd() };
      if (other !== undefined) add("compare", node, other, operator);
      if (isAndOr(node)) {
        add("and-or", node, node.operatorToken.kind === ts.SyntaxKind.BarBarToken ? "&&" : "||", operator);
        // What is left of the operator may be a chain of its own; what is right of it never is.
        if (!isAndOr(node.left)) add("without", node.left, node.right.getText(), { end: node.right.getEnd() });
        add("without", node.right, "", { start: node.left.getEnd() });
      }
      if (isSum(node)) {
        if (!isSum(node.left) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) add("without", node.left, node.right.getText(), { end: node.right.getEnd() });
        add("without", node.right, "", { start: node.left.getEnd() });
      }
    }
    if (ts.isArrayLiteralExpression(node)) leaveOut(node.elements);
    if (ts.isObjectLiteralExpression(node)) leaveOut(node.properties);
    if (ts.isCallExpression(node) && /^Math\.(?:min|max)$/.test(node.expression.getText()) && node.arguments.length > 1) leaveOut(node.arguments);
    if (ts.isNumericLiteral(node)) {
      add("more", node, `(${node.getText()} + 1)`);
      add("less", node, `(${node.getText()} - 1)`);
    }
    if (node.kind === ts.SyntaxKind.TrueKeyword) add("flip", node, "false");
    if (node.kind === ts.SyntaxKind.FalseKeyword) add("flip", node, "true");
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && narrowing.has(node.expression.name.text)) {
      const { expression: before, name } = node.expression;
      const was = text.slice(name.getStart(), node.getEnd());
      add("unchain", node, "", { start: before.getEnd() });
      found.at(-1)!.was = was;
    }
    if (isFunction(node) && ts.isBlock(node.body) && node.body.statements.length > 0) {
      add("return", node.body.statements[0]!, "return; ", { end: node.body.statements[0]!.getStart() });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

export const plant = (text: string, { start, end, to }: Pick<Mutation, "start" | "end" | "to">): string => text.slice(0, start) + to + text.slice(end);
