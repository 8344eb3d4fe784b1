import type { OverviewReply } from "@assay/contract/dashboard/overview.ts";
import { Group, List, Text, ThemeIcon } from "@mantine/core";
import { IconCheck, IconCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { TextLink } from "../../ui/link-button.tsx";
import { Panel } from "../../ui/panel.tsx";

type Steps = OverviewReply["checklist"];
type Step = { name: keyof Steps; title: string; text: ReactNode };

const steps: readonly Step[] = [
  { name: "verified", title: "Verify your email address", text: "Open the link in the email we sent you, and choose a password." },
  { name: "has_key", title: "Generate a key", text: <>Go to <TextLink to="/keys" inherit>API Keys</TextLink> and select Generate new key. The key is shown only once.</> },
  { name: "first_call", title: "Send your first call", text: <>From your server, or try one in the <TextLink to="/playground" inherit>playground</TextLink>. It appears here within two seconds.</> },
  { name: "first_outcome", title: "Report an outcome", text: <>Open one of your <TextLink to="/sessions" inherit>sessions</TextLink> and report its outcome. It shows how well scores fit your traffic.</> },
  { name: "payee_profile", title: "Add payout details", text: <>Complete your <TextLink to="/settings" search={{ part: "payout" }} inherit>payee profile</TextLink>. Nothing is paid out without it.</> },
];

/** Hidden once every step is done. */
export function Checklist({ checklist }: { checklist: Steps }) {
  const done = steps.filter(({ name }) => checklist[name]).length;
  if (done === steps.length) return null;
  const next = steps.find(({ name }) => !checklist[name]);
  return (
    <Panel title="Getting started" aside={<Text size="sm" c="dimmed">{done} of {steps.length}</Text>}>
      <List spacing="sm" listStyleType="none" styles={{ root: { paddingInlineStart: 0 } }}>
        {steps.map(({ name, title, text }) => {
          const isDone = checklist[name];
          return (
            <List.Item key={name}>
              <Group gap="sm" wrap="nowrap" align="flex-start">
                <ThemeIcon size={24} radius="xl" variant={isDone ? "filled" : "default"} aria-hidden="true">
                  {isDone ? <IconCheck size={15} /> : <IconCircle size={10} />}
                </ThemeIcon>
                <div>
                  <Text size="sm" fw={name === next?.name ? 650 : 500} {...(isDone && { c: "dimmed", td: "line-through" })}>
                    {title}<span className="sr-only">{isDone ? " (done)" : ""}</span>
                  </Text>
                  {!isDone && <Text size="sm" c="dimmed">{text}</Text>}
                </div>
              </Group>
            </List.Item>
          );
        })}
      </List>
    </Panel>
  );
}
