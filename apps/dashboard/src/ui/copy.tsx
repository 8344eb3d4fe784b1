import { ActionIcon, Code, CopyButton, Group, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

/** Shows `shown` and copies the full `text`. */
export function Copyable({ text, shown = text, label }: { text: string; shown?: string; label: string }) {
  return (
    <Group gap={4} wrap="nowrap" className="copyable">
      <Code className="code-text" title={text}>{shown}</Code>
      <CopyButton value={text} timeout={1_600}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? "Copied" : label}>
            <ActionIcon variant="subtle" color={copied ? "verdigris" : "gray"} size="sm" onClick={copy} aria-label={copied ? "Copied" : label}>
              {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
