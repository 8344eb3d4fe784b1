import type { OwnFinding } from "@assay/contract/dashboard/integrity.ts";
import { Text } from "@mantine/core";
import { Time } from "./time.tsx";

export function FindingAnswer({ answer, by }: { answer: NonNullable<OwnFinding["answer"]>; by: string }) {
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>{by}, <Time at={answer.at} />:</Text>
      <blockquote className="quote">{answer.text}</blockquote>
    </div>
  );
}
