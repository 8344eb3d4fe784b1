import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

type PanelProps = { title: string; hint?: ReactNode; aside?: ReactNode; children: ReactNode };

export function Panel({ title, hint, aside, children }: PanelProps) {
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }} component="section" aria-label={title}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div>
            <Title order={2}>{title}</Title>
            {hint !== undefined && <Text size="sm" c="dimmed" mt={2} maw={640}>{hint}</Text>}
          </div>
          {aside}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

/** Wide tables scroll inside this box. It is focusable so that it can be scrolled by keyboard. */
export function ScrollBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="scroll-box" role="region" aria-label={label} tabIndex={0}>{children}</div>
  );
}
