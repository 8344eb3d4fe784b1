<?php

declare(strict_types=1);

namespace Assay;

/** What a call does when every attempt failed with a retryable error, unless it was given a value to return. */
enum OnUnavailable
{
    case Throw;
}
