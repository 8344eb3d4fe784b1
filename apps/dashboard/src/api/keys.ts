import type { KeysReply, NewKeyReply, NewKeyRequest, RotateKeyReply } from "@assay/contract/dashboard/keys.ts";
import { queryOptions } from "@tanstack/react-query";
import { read, write } from "./request.ts";

export const keysQuery = queryOptions({ queryKey: ["keys"], queryFn: ({ signal }) => read<KeysReply>("keys", { signal }) });

const pathOf = (keyId: string, action = "") => `keys/${encodeURIComponent(keyId)}${action}`;

export const createKey = (body: NewKeyRequest) => write<NewKeyReply>("POST", "keys", body);
export const renameKey = ({ keyId, name }: { keyId: string; name: string }) => write<unknown>("PATCH", pathOf(keyId), { name });
export const rotateKey = ({ keyId, graceHours }: { keyId: string; graceHours: number }) =>
  write<RotateKeyReply>("POST", pathOf(keyId, "/rotate"), { grace_hours: graceHours });
export const revokeKey = (keyId: string) => write<unknown>("DELETE", pathOf(keyId));
