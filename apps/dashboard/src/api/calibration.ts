import type { OwnCalibrationReply, SwitchCalibrationRequest } from "@assay/contract/dashboard/calibration.ts";
import { queryOptions } from "@tanstack/react-query";
import { read, write } from "./request.ts";

export const calibrationQuery = queryOptions({ queryKey: ["calibration"], queryFn: ({ signal }) => read<OwnCalibrationReply>("calibration", { signal }) });

export const switchCalibrationOn = (request: SwitchCalibrationRequest) => write<OwnCalibrationReply>("PUT", "calibration", request);

export const switchCalibrationOff = () => write<OwnCalibrationReply>("DELETE", "calibration");
