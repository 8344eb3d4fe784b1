import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/request.ts";

const freshMs = 5_000;
const retriesMax = 2;

/** A session that ended is noticed by whatever is asked next. */
export function createQueries(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.code === "sign_in_required") onSignedOut();
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        // Only what may pass by itself is tried again.
        retry: (failures, error) => failures < retriesMax && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      },
    },
  });
  return client;
}
