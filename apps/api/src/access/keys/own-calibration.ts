/** An account's own calibration. It is for scores of one model. */
export type OwnCalibration = {
  version: number;
  modelVersion: string;
  shift: number;
  slope: number;
  /** All of it as one text, which is made once: compiled models are found by it with every call. */
  name: string;
};

export const toOwnCalibration = ({ version, modelVersion, shift, slope }: Omit<OwnCalibration, "name">): OwnCalibration => ({
  version,
  modelVersion,
  shift,
  slope,
  name: `${modelVersion} ${version} ${shift} ${slope}`,
});
