import type {
  CloseAccountReply,
  EnableTwoFactorReply,
  ListSessionsReply,
  MeReply,
  RecoveryCodesReply,
  SignInOptionsReply,
  SignInReply,
  SignInRequest,
  SignUpRequest,
  StepUp,
} from "@assay/contract/dashboard/account.ts";
import { queryOptions } from "@tanstack/react-query";
import { read, write } from "./request.ts";

type Done = { status: true };

export const meQuery = queryOptions({ queryKey: ["me"], queryFn: ({ signal }) => read<MeReply>("me", { signal }), staleTime: 30_000 });

export const optionsQuery = queryOptions({
  queryKey: ["sign-in-options"],
  queryFn: ({ signal }) => read<SignInOptionsReply>("auth/options", { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const signInsQuery = queryOptions({ queryKey: ["sign-ins"], queryFn: ({ signal }) => read<ListSessionsReply>("auth/list-sessions", { signal }) });

export const signUp = (body: SignUpRequest) => write<Done>("POST", "auth/sign-up/email", body);
export const verifyEmail = (body: { token: string; newPassword: string }) => write<SignInReply>("POST", "auth/verify-email", body);
export const confirmEmail = (body: { token: string }) => write<Done>("POST", "auth/confirm-email", body);
export const signIn = (body: SignInRequest) => write<SignInReply>("POST", "auth/sign-in/email", body);
export const signOut = () => write<unknown>("POST", "auth/sign-out", {});
export const sendVerification = (email: string) => write<Done>("POST", "auth/send-verification-email", { email });
export const requestReset = (email: string) => write<Done>("POST", "auth/request-password-reset", { email });
export const resetPassword = (body: { token: string; newPassword: string }) => write<Done>("POST", "auth/reset-password", body);
export const verifyCode = (code: string) => write<Done>("POST", "auth/two-factor/verify-totp", { code });
export const verifyRecoveryCode = (code: string) => write<Done>("POST", "auth/two-factor/verify-backup-code", { code });
export const changePassword = (body: { currentPassword: string; newPassword: string }) => write<Done>("POST", "auth/change-password", body);
export const changeEmail = (body: StepUp & { newEmail: string }) => write<Done>("POST", "auth/change-email", body);
export const enableTwoFactor = (body: StepUp) => write<EnableTwoFactorReply>("POST", "auth/two-factor/enable", body);
export const disableTwoFactor = (body: StepUp) => write<Done>("POST", "auth/two-factor/disable", body);
export const makeRecoveryCodes = (body: StepUp) => write<RecoveryCodesReply>("POST", "auth/two-factor/generate-backup-codes", body);
export const confirmSession = (body: StepUp) => write<Done>("POST", "auth/step-up", body);
export const endSignIn = (id: string) => write<Done>("POST", "auth/revoke-session", { id });
export const endOtherSignIns = () => write<Done>("POST", "auth/revoke-other-sessions", {});
export const closeAccount = (body: { password: string; confirmEmail: string; forfeit?: boolean }) =>
  write<CloseAccountReply>("POST", "auth/close-account", body);
