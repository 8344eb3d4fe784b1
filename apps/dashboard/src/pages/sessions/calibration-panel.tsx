import type { OwnCalibrationReply } from "@assay/contract/dashboard/calibration.ts";
import { Badge, Button, Group, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { calibrationQuery, switchCalibrationOff, switchCalibrationOn } from "../../api/calibration.ts";
import { Details } from "../../ui/details.tsx";
import { formatCount } from "../../ui/format.ts";
import { LevelMix } from "../../ui/level-mix.tsx";
import { Panel, ScrollBox } from "../../ui/panel.tsx";
import { FormError, QueryView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { ReliabilityPlot } from "./reliability-plot.tsx";

type Preview = OwnCalibrationReply["preview"];
type Fitted = NonNullable<Preview["fitted"]>;

const stateLabels = { off: "Shipped calibration", on: "Own calibration", waiting: "Waiting for a new fit" };
const refusedTexts: Record<NonNullable<Preview["refused"]>, (reply: OwnCalibrationReply) => string> = {
  too_few: ({ minimum_outcomes: minimum, preview: { good, bad } }) =>
    `At least ${minimum} good and ${minimum} bad outcomes are needed. You have reported ${formatCount(good)} good and ${formatCount(bad)} bad ones that count.`,
  contradicted: () => "Your good sessions do not score higher than your bad ones, so no calibration fits. Check that outcomes are reported for the right sessions.",
};

const shown = (error: number) => (100 * error).toFixed(1);
const numbers = ({ shift, slope }: { shift: number; slope: number }) => `shift ${shift.toFixed(2)}, slope ${slope.toFixed(2)}`;

function useSwitch<Argument = void>(change: (argument: Argument) => Promise<OwnCalibrationReply>, message: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (reply) => {
      queries.setQueryData(calibrationQuery.queryKey, reply);
      notifications.show({ message, color: "verdigris" });
    },
  });
}

function BeforeAndAfter({ fitted, sessions }: { fitted: Fitted; sessions: number }) {
  const { before, after } = fitted;
  return (
    <Stack gap="md">
      <Text size="sm">
        Calibration error: <strong>{shown(before.error)} points as shipped, {shown(after.error)} points with your own</strong> ({numbers(fitted)}). On so few
        sessions perfect scores would show {shown(after.chance_error)} points by chance. {formatCount(fitted.changed_levels)} of {formatCount(sessions)} sessions
        would change their level.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Stack gap="xs"><ReliabilityPlot label="As shipped" bins={before.bins} /><LevelMix levels={before.levels} /></Stack>
        <Stack gap="xs"><ReliabilityPlot label="With your own calibration" bins={after.bins} /><LevelMix levels={after.levels} /></Stack>
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        Each session is measured with a fit to the other four fifths of your outcomes. Good and bad outcomes weigh one half each: a score of 70 means that 70
        of 100 such sessions would be good if as many good as bad ones came.
      </Text>
    </Stack>
  );
}

function Versions({ versions, active }: { versions: OwnCalibrationReply["versions"]; active: number | undefined }) {
  return (
    <Details summary={`Versions (${versions.length})`}>
      <ScrollBox label="Versions of your calibration">
        <Table verticalSpacing={6} miw={640}>
          <Table.Thead>
            <Table.Tr><Table.Th>Version</Table.Th><Table.Th>Fitted</Table.Th><Table.Th>Model</Table.Th><Table.Th>Numbers</Table.Th><Table.Th ta="right">Good / bad</Table.Th><Table.Th ta="right">Error before / after</Table.Th></Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {versions.map((each) => (
              <Table.Tr key={each.version}>
                <Table.Td>{each.version}{each.version === active && " (switched on)"}</Table.Td>
                <Table.Td><Time at={each.fitted_at} />{each.fitted_by === "job" && ", for a new model"}</Table.Td>
                <Table.Td>{each.model_version}</Table.Td>
                <Table.Td>{numbers(each)}</Table.Td>
                <Table.Td ta="right">{formatCount(each.good)} / {formatCount(each.bad)}</Table.Td>
                <Table.Td ta="right">{shown(each.error_before)} / {shown(each.error_after)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Details>
  );
}

function Calibration({ reply }: { reply: OwnCalibrationReply }) {
  const { state, active, preview, versions } = reply;
  const on = useSwitch(switchCalibrationOn, "Your own calibration is switched on.");
  const off = useSwitch(switchCalibrationOff, "Scores are on the shipped calibration.");
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Badge variant="default" className="badge-text">{stateLabels[state]}</Badge>
        {active && <Text size="sm" c="dimmed">version {active.version}, {numbers(active)}, fitted <Time at={active.fitted_at} /></Text>}
      </Group>
      {state === "waiting" && <Text size="sm">Your model has changed. Scores are on the shipped calibration until yours is fitted again, within an hour, to the same outcomes.</Text>}
      {preview.refused !== null && <Text size="sm">{refusedTexts[preview.refused](reply)}</Text>}
      {preview.fitted && <BeforeAndAfter fitted={preview.fitted} sessions={preview.sessions} />}
      {!preview.complete && <Text size="sm" c="dimmed">Only your latest outcomes are counted.</Text>}
      <FormError error={on.error ?? off.error} />
      <Group gap="sm">
        {preview.fitted && <Button loading={on.isPending} onClick={() => on.mutate({ outcomes_to: preview.outcomes_to })}>{state === "off" ? "Switch on" : "Fit again"}</Button>}
        {state !== "off" && <Button variant="default" loading={off.isPending} onClick={() => off.mutate()}>Switch off</Button>}
      </Group>
      {versions.length > 0 && <Versions versions={versions} active={active?.version} />}
    </Stack>
  );
}

function LoadedCalibration() {
  const calibration = useQuery(calibrationQuery);
  return <QueryView query={calibration} height={240}>{(reply) => <Calibration reply={reply} />}</QueryView>;
}

/** Read only when asked for: the server scores every session with an outcome anew. */
export function CalibrationPanel() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel
      title="Calibration"
      hint="Outcomes that you report can put scores on a scale of your own: two numbers that keep the order of sessions. It changes scores and levels in your answers, and nothing that is paid."
      aside={!isOpen && <Button variant="default" onClick={() => setOpen(true)}>Compare with my outcomes</Button>}
    >
      {isOpen && <LoadedCalibration />}
    </Panel>
  );
}
