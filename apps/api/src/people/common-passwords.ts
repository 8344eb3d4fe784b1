import { readFileSync } from "node:fs";

/** Ours, and phrases that the published list lacks. */
const added = new Set(
  `assay assaypassword apikey trustscore dashboard login bitcoin instagram whatsapp ubuntu javascript typescript
  thepassword oldpassword yourpassword passwordone testpassword rootpassword secretpassword defaultpassword defaultpass
  letmeinplease welcomehome welcomeback changemenow changethis pleasechange testaccount myusername rememberme trustnobody
  iloveyouso iloveyoubaby iloveyousomuch iloveyouforever loveyouforever bestfriends foreveralone alwaysandforever
  correcthorse correcthorsebatterystaple worldofwarcraft lordoftherings manchesterunited harleydavidson contraseña
  qwertz abcde abcdef trustnoi toor aaa password4me admin123admin fortnite roblox ilovemymom ilovemydad ilovemydog ilovemycat myloveforever
  footballer gryffindor dumbledore marshmallow gingerbread bayernmunchen ajaxamsterdam hackerman development honeybunny mercedesbenz bmw
  dontforget forgetful accessgranted teamomucho forzamilan corinthians lozenord`.split(/\s+/),
);

let published: string | undefined;

/** In lower case. The published list is read at the first question. */
export function isCommonPassword(text: string): boolean {
  published ??= readFileSync(new URL("common-passwords.txt", import.meta.url), "utf8");
  return added.has(text) || published.includes(`\n${text}\n`);
}
