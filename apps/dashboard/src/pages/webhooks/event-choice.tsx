import type { EventChoice } from "@assay/contract/dashboard/webhooks.ts";
import { Checkbox, Radio, Stack, Text } from "@mantine/core";
import { topicLabels } from "./webhook-texts.ts";

type Props = { events: readonly EventChoice[]; value: readonly string[] | null; onChange: (types: string[] | null) => void };

function Topic({ topic, events, value, onChange }: { topic: string; events: readonly EventChoice[]; value: readonly string[]; onChange: (types: string[]) => void }) {
  const types = events.map(({ type }) => type);
  const chosen = types.filter((type) => value.includes(type)).length;
  const others = value.filter((type) => !types.includes(type));
  return (
    <Stack gap={6} component="fieldset" className="bare-fieldset">
      <legend className="sr-only">{topicLabels[topic] ?? topic}</legend>
      <Checkbox
        label={topicLabels[topic] ?? topic}
        fw={600}
        checked={chosen === types.length}
        indeterminate={chosen > 0 && chosen < types.length}
        onChange={(event) => onChange(event.currentTarget.checked ? [...others, ...types] : others)}
      />
      <Stack gap={6} pl={30}>
        {events.map(({ type, summary }) => (
          <Checkbox
            key={type}
            size="sm"
            label={<Text span size="sm" ff="monospace">{type}</Text>}
            description={summary}
            checked={value.includes(type)}
            onChange={(event) => onChange(event.currentTarget.checked ? [...value, type] : value.filter((each) => each !== type))}
          />
        ))}
      </Stack>
    </Stack>
  );
}

/** All events, or some of them, grouped by topic. Null is all. */
export function EventChoiceInput({ events, value, onChange }: Props) {
  const topics = [...new Set(events.map(({ topic }) => topic))];
  return (
    <Stack gap="sm">
      <Radio.Group label="Events" value={value === null ? "all" : "some"} onChange={(choice) => onChange(choice === "all" ? null : [])}>
        <Stack gap="xs" mt={6}>
          <Radio value="all" label="All events" description="Also those that later versions add." />
          <Radio value="some" label="Chosen events" />
        </Stack>
      </Radio.Group>
      {value !== null && (
        <div className="event-choices" role="region" aria-label="Chosen events" tabIndex={0}>
          <Stack gap="md">
            {topics.map((topic) => <Topic key={topic} topic={topic} events={events.filter((event) => event.topic === topic)} value={value} onChange={onChange} />)}
          </Stack>
        </div>
      )}
    </Stack>
  );
}
