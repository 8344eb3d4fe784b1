import { Button, CopyButton, Stack } from "@mantine/core";

export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <Stack gap="xs">
      <ul className="recovery-codes" aria-label="Recovery codes">{codes.map((code) => <li key={code}>{code}</li>)}</ul>
      <CopyButton value={codes.join("\n")}>{({ copied, copy }) => <Button size="xs" variant="default" onClick={copy} w="fit-content">{copied ? "Copied" : "Copy all"}</Button>}</CopyButton>
    </Stack>
  );
}
