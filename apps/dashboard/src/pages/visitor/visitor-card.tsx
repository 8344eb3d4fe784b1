import { Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

export function VisitorCard({ title, text, children, foot }: { title: string; text?: ReactNode; children: ReactNode; foot?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Assay`;
  }, [title]);
  return (
    <>
      <Paper withBorder p={{ base: "lg", sm: "xl" }} shadow="xs">
        <Stack gap="md">
          <div>
            <Title order={1}>{title}</Title>
            {text !== undefined && <Text c="dimmed" size="sm" mt={6}>{text}</Text>}
          </div>
          {children}
        </Stack>
      </Paper>
      {foot !== undefined && <Text size="sm" ta="center" mt="md" c="dimmed">{foot}</Text>}
    </>
  );
}
