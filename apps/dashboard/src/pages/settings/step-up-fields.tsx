import type { StepUp } from "@assay/contract/dashboard/account.ts";
import { PasswordInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../../api/account.ts";

export type StepUpValues = { password: string; code: string };
export const emptyStepUp: StepUpValues = { password: "", code: "" };

/** An empty code is not sent: without a second factor none is needed. */
export const stepUpOf = ({ password, code }: StepUpValues): StepUp => ({ password, ...(code.trim() !== "" && { code: code.trim() }) });

type Props = { values: StepUpValues; onChange: (values: StepUpValues) => void; isFocused?: boolean; inputProps?: Record<`data-${string}`, string> };

/** The password again and, where two-factor authentication is on, a code. */
export function StepUpFields({ values, onChange, isFocused, inputProps }: Props) {
  const isOn = useQuery(meQuery).data?.two_factor_enabled === true;
  return (
    <>
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        {...inputProps}
        {...(isFocused && { "data-autofocus": true })}
        value={values.password}
        onChange={(event) => onChange({ ...values, password: event.currentTarget.value })}
      />
      {isOn && (
        <TextInput
          label="Code"
          description="From your authenticator app, or a recovery code. Each works once."
          inputWrapperOrder={["label", "input", "description", "error"]}
          autoComplete="one-time-code"
          maxLength={40}
          required
          {...inputProps}
          value={values.code}
          onChange={(event) => onChange({ ...values, code: event.currentTarget.value })}
        />
      )}
    </>
  );
}
