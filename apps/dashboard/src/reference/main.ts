import "./reference.css";
import { showAddress, watchKey, watchLanguage } from "./fill-samples.ts";
import { watchPlaces } from "./find-place.ts";
import { watchSearch } from "./search.ts";
import { watchForms } from "./send.ts";
import { watchCopyButtons } from "./copy.ts";

showAddress();
watchLanguage();
watchForms(watchKey());
watchCopyButtons();
watchSearch();
watchPlaces();
