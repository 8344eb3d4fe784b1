import { Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

type PageProps = { title: string; description?: ReactNode; actions?: ReactNode; children: ReactNode };

export function Page({ title, description, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Assay`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end" gap="sm">
        <div>
          <Title order={1}>{title}</Title>
          {description !== undefined && <Text c="dimmed" size="sm" mt={4} maw={680}>{description}</Text>}
        </div>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
