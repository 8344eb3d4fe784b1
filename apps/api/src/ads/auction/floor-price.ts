/** The least that a click costs an advertiser: 0.01 USD. */
export const floorMicroUsd = 10_000;
