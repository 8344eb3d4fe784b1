import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { optionsQuery } from "../../api/account.ts";

/** Used until the server's limit is loaded. The server checks the length in any case. */
const lengthMinDefault = 10;

export function NewPasswordInput(props: PasswordInputProps) {
  const { data } = useQuery(optionsQuery);
  const lengthMin = data?.password_length_min ?? lengthMinDefault;
  return (
    <PasswordInput
      label="Password"
      description={`At least ${lengthMin} characters. A passphrase of several words works best.`}
      autoComplete="new-password"
      minLength={lengthMin}
      maxLength={data?.password_length_max ?? 128}
      required
      {...props}
    />
  );
}
