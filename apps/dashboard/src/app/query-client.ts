import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/request.ts";

const staleMs = 5_000;
const retriesMax = 2;

/** Calls `onSignedOut` when any request finds that the sign-in has ended. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.code === "sign_in_required") onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: staleMs,
        // Only transient errors are retried.
        retry: (failures, error) => failures < retriesMax && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      },
    },
  });
}
