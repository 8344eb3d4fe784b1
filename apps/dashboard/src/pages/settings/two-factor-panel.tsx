import type { StepUp } from "@assay/contract/dashboard/account.ts";
import { Badge, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { disableTwoFactor, enableTwoFactor, makeRecoveryCodes, meQuery, signInsQuery } from "../../api/account.ts";
import { Panel } from "../../ui/panel.tsx";
import { FormError } from "../../ui/states.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { emptyStepUp, StepUpFields, stepUpOf } from "./step-up-fields.tsx";
import { TwoFactorSetup } from "./two-factor-setup.tsx";

/** Each of these changes also ends the other sign-ins. */
const readAgain = (queries: QueryClient) => Promise.all([meQuery, signInsQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey })));

function StepUpForm({ text, button, isPending, error, onSubmit }: { text: string; button: string; isPending: boolean; error: Error | null; onSubmit: (stepUp: StepUp) => void }) {
  const [values, setValues] = useState(emptyStepUp);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(stepUpOf(values));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">{text}</Text>
        <FormError error={error} />
        <StepUpFields values={values} onChange={setValues} isFocused />
        <Button type="submit" loading={isPending} w="fit-content">{button}</Button>
      </Stack>
    </form>
  );
}

function EnableDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const enable = useMutation({ mutationFn: enableTwoFactor });
  const finish = async () => {
    await readAgain(queries);
    notifications.show({ message: "Two-factor authentication is on. All other browsers were signed out.", color: "verdigris" });
    onClose();
  };
  if (enable.data) return <TwoFactorSetup setup={enable.data} onDone={finish} />;
  return <StepUpForm text="Enter your password to continue." button="Continue" isPending={enable.isPending} error={enable.error} onSubmit={(stepUp) => enable.mutate(stepUp)} />;
}

function DisableDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const disable = useMutation({
    mutationFn: disableTwoFactor,
    onSuccess: async () => {
      await readAgain(queries);
      onClose();
    },
  });
  return <StepUpForm text="Without it, your password alone is enough to sign in. All other browsers are signed out." button="Turn off" isPending={disable.isPending} error={disable.error} onSubmit={(stepUp) => disable.mutate(stepUp)} />;
}

function CodesDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const make = useMutation({ mutationFn: makeRecoveryCodes, onSuccess: () => readAgain(queries) });
  if (make.data) {
    return (
      <Stack gap="md">
        <RecoveryCodes codes={make.data.recovery_codes} />
        <Button onClick={onClose} w="fit-content">Done</Button>
      </Stack>
    );
  }
  return <StepUpForm text="New codes replace the old ones, which stop working. All other browsers are signed out." button="Generate new codes" isPending={make.isPending} error={make.error} onSubmit={(stepUp) => make.mutate(stepUp)} />;
}

const dialogs = {
  enable: { title: "Turn on two-factor authentication", Dialog: EnableDialog },
  disable: { title: "Turn off two-factor authentication", Dialog: DisableDialog },
  codes: { title: "New recovery codes", Dialog: CodesDialog },
};

export function TwoFactorPanel({ isOn }: { isOn: boolean }) {
  const [opened, dialog] = useDisclosure(false);
  const [chosen, setChosen] = useState<keyof typeof dialogs>("enable");
  const open = (name: keyof typeof dialogs) => {
    setChosen(name);
    dialog.open();
  };
  const { title, Dialog } = dialogs[chosen];
  return (
    <Panel
      title="Two-factor authentication"
      hint="Sign-in also asks for a code from an authenticator app, so a stolen password alone is not enough."
      aside={<Badge variant="light" color={isOn ? "verdigris" : "gray"} className="badge-text">{isOn ? "on" : "off"}</Badge>}
    >
      <Group>
        {!isOn && <Button onClick={() => open("enable")}>Turn on</Button>}
        {isOn && <Button variant="default" onClick={() => open("codes")}>New recovery codes</Button>}
        {isOn && <Button variant="default" onClick={() => open("disable")}>Turn off</Button>}
      </Group>
      <Modal opened={opened} onClose={dialog.close} title={title} closeButtonProps={{ "aria-label": "Close" }} closeOnClickOutside={false}>
        <Dialog onClose={dialog.close} />
      </Modal>
    </Panel>
  );
}
