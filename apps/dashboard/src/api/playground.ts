import type { PlaygroundAdRequest, PlaygroundReply, PlaygroundRequest } from "@assay/contract/dashboard/playground.ts";
import { write } from "./request.ts";

export const sendFromPlayground = (body: PlaygroundRequest) => write<PlaygroundReply>("POST", "playground/send", body);
export const requestAdFromPlayground = (body: PlaygroundAdRequest) => write<PlaygroundReply>("POST", "playground/ad", body);
