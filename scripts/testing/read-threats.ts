import ts from "typescript";

/** In a test's title: the test shows how this threat is met. */
const marker = /\[threat: ([a-z-]+)\]/g;
const calledName = (call: ts.CallExpression): string => call.expression.getText();

const isSkipWord = (name: string): boolean => name === "skip" || name === "todo";

/** Whether a call of `it` or `describe` turns itself off. A skip that is computed, such as one for a missing server, does not count: CI refuses it. */
function isTurnedOff(call: ts.CallExpression): boolean {
  const offByName = ts.isPropertyAccessExpression(call.expression) && isSkipWord(call.expression.name.text);
  const options = call.arguments.filter((argument) => ts.isObjectLiteralExpression(argument)).flatMap(({ properties }) => [...properties]);
  const offByOption = options.some((option) => ts.isPropertyAssignment(option) && isSkipWord(option.name.getText()) && (option.initializer.kind === ts.SyntaxKind.TrueKeyword || ts.isStringLiteralLike(option.initializer)));
  return offByName || offByOption;
}

/** Whether a test has a body, and none of its statements skips it. */
function runs(call: ts.CallExpression): boolean {
  const body = call.arguments.find((argument) => ts.isArrowFunction(argument) || ts.isFunctionExpression(argument))?.body;
  if (body === undefined || (ts.isBlock(body) && body.statements.length === 0)) return false;
  const skips = (node: ts.Node): boolean => (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && isSkipWord(node.expression.name.text)) || (ts.forEachChild(node, skips) ?? false);
  return !skips(body);
}

export type MarkedTest = { threat: string; title: string; isRun: boolean };

/** The tests of a file whose titles name a threat. Comments and other texts do not count. */
export function readMarkedTests(source: string): MarkedTest[] {
  const found: MarkedTest[] = [];
  function visit(node: ts.Node, isOff: boolean): void {
    if (!ts.isCallExpression(node)) return ts.forEachChild(node, (child) => visit(child, isOff));
    const off = isOff || isTurnedOff(node);
    const [first] = node.arguments;
    if (first && /^it(\.\w+)?$/.test(calledName(node)) && (ts.isStringLiteralLike(first) || ts.isTemplateExpression(first))) {
      const title = first.getText().slice(1, -1);
      for (const [, threat] of title.matchAll(marker)) found.push({ threat: threat!, title, isRun: !off && runs(node) });
    }
    return ts.forEachChild(node, (child) => visit(child, off));
  }
  visit(ts.createSourceFile("file.ts", source, ts.ScriptTarget.Latest, true), false);
  return found;
}
