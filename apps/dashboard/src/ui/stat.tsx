import { Group, Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { formatChange } from "./format.ts";

type StatProps = { label: string; value: ReactNode; hint?: ReactNode; compare?: { now: number; before: number; with: string } };

export function Stat({ label, value, hint, compare }: StatProps) {
  const change = compare && formatChange(compare.now, compare.before);
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">{label}</Text>
      <Text className="figure">{value}</Text>
      {compare && (
        <Group gap={6}>
          {change && <Text size="xs" fw={600} className={`change ${change.direction}`}>{change.text}</Text>}
          <Text size="xs" c="dimmed">{change ? compare.with : `no activity ${compare.with.replace("vs ", "")}`}</Text>
        </Group>
      )}
      {hint !== undefined && <Text size="xs" c="dimmed">{hint}</Text>}
    </Paper>
  );
}
