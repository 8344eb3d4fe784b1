import { Button, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { changePassword, signInsQuery } from "../../api/account.ts";
import { Panel } from "../../ui/panel.tsx";
import { FormError } from "../../ui/states.tsx";
import { NewPasswordInput } from "../visitor/new-password-input.tsx";

export function PasswordPanel() {
  const queries = useQueryClient();
  const form = useForm({ mode: "uncontrolled", initialValues: { currentPassword: "", newPassword: "" } });
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: async () => {
      form.reset();
      await queries.invalidateQueries({ queryKey: signInsQuery.queryKey });
      notifications.show({ message: "Password changed. All other browsers were signed out.", color: "verdigris" });
    },
  });
  return (
    <Panel title="Password" hint="Changing your password signs out all other browsers.">
      <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack gap="md" maw={420}>
          <FormError error={change.error} />
          <PasswordInput label="Current password" autoComplete="current-password" required key={form.key("currentPassword")} {...form.getInputProps("currentPassword")} />
          <NewPasswordInput label="New password" key={form.key("newPassword")} {...form.getInputProps("newPassword")} />
          <Button type="submit" variant="default" loading={change.isPending} w="fit-content">Change password</Button>
        </Stack>
      </form>
    </Panel>
  );
}
