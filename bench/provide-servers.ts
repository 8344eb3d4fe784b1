import { servers } from "../scripts/find-servers.ts";

/** Finds PostgreSQL and Redis where `npm test` has not done so. */
export function provideServers(): void {
  for (const { name, variable, aptPackage, find } of servers) {
    const path = process.env[variable] ?? find();
    if (path === undefined) throw new Error(`${name} is not installed (Debian: apt-get install ${aptPackage})`);
    process.env[variable] = path;
  }
}
