import { useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/**
 * The token of the mailed link that opened this page. It leaves the address bar and the history at once, so that neither a
 * picture of the screen nor the next person at this browser has it.
 */
export function useMailedToken(): string | undefined {
  const search: { token?: string | undefined } = useSearch({ strict: false });
  const [token] = useState(search.token);
  useEffect(() => {
    if (search.token !== undefined) history.replaceState(history.state, "", location.pathname);
  }, [search.token]);
  return token;
}
