-- Made by "npm run sql" from apps/api/src/money/ledger/charge-batch.*; do not edit.

-- SQLite

-- selectHead
SELECT account_id, seq, hash, at, balance_micro, spendable_micro, spendable_seq, share_confirmed_seq FROM ledger_heads WHERE account_id = ?;

-- moveHead
UPDATE ledger_heads SET seq = ?, hash = ?, at = ?, balance_micro = ?, spendable_micro = ?, spendable_seq = ? WHERE account_id = ?;

-- sumUncounted
SELECT coalesce(sum(gross_micro), 0) AS gross_micro FROM ledger_entries
    WHERE account_id = ? AND seq > ? AND kind = 'call' AND payer = 'developer';

-- selectAnswer
SELECT a.endpoint, a.input, a.body, e.seq, e.hash FROM idempotency_answers a
    LEFT JOIN ledger_entries e ON e.account_id = a.account_id AND e.seq = a.ledger_seq
    WHERE a.key_hash = ? AND a.at >= ?;

-- insertAnswer
INSERT INTO idempotency_answers (key_hash, account_id, endpoint, input, body, ledger_seq, at) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key_hash) DO UPDATE SET account_id = excluded.account_id, endpoint = excluded.endpoint,
      input = excluded.input, body = excluded.body, ledger_seq = excluded.ledger_seq, at = excluded.at
    WHERE idempotency_answers.at < ?;

-- insertEntry
INSERT INTO ledger_entries (account_id, seq, at, kind, ref, endpoint, payer, share_bps, gross_micro, developer_micro, platform_micro, prev_hash, hash) VALUES (?1, ?2 + 0, ?9, 'call', ?10, ?3, ?4, ?5, ?6, ?7, ?6 - ?7, ?8, ?11);

-- insertEntries
INSERT INTO ledger_entries (account_id, seq, at, kind, ref, endpoint, payer, share_bps, gross_micro, developer_micro, platform_micro, prev_hash, hash) VALUES (?1, ?2 + 0, ?9, 'call', ?10, ?3, ?4, ?5, ?6, ?7, ?6 - ?7, ?8, ?11), (?1, ?2 + 1, ?12, 'call', ?13, ?3, ?4, ?5, ?6, ?7, ?6 - ?7, ?11, ?14), (?1, ?2 + 2, ?15, 'call', ?16, ?3, ?4, ?5, ?6, ?7, ?6 - ?7, ?14, ?17), (?1, ?2 + 3, ?18, 'call', ?19, ?3, ?4, ?5, ?6, ?7, ?6 - ?7, ?17, ?20), (?1, ?2 + 4, ?21, 'call', ?22, ?3, ?4, ?5, ?6, ?7, ?6 - ?7, ?20, ?23), (?1, ?2 + 5, ?24, 'call', ?25, ?3, ?4, ?5, ?6, ?7, ?6 - ?7, ?23, ?26), (?1, ?2 + 6, ?27, 'call', ?28, ?3, ?4, ?5, ?6, ?7, ?6 - ?7, ?26, ?29), (?1, ?2 + 7, ?30, 'call', ?31, ?3, ?4, ?5, ?6, ?7, ?6 - ?7, ?29, ?32);

-- insertRecord
INSERT INTO session_records (account_id, mode, id, endpoint, recommendation, model_version, at, user_engagement, session_duration, scroll_depth, interaction_count, page_views, return_visitor, service_score, confidence, processing_time_ms, calibration, attested, attestation_issues, ledger_seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- selectSession
SELECT 1 FROM attested_sessions WHERE id = ?;

-- insertSession
INSERT INTO attested_sessions (id, account_id, ref, at) VALUES (?, ?, ?, ?);

-- addToRollup
INSERT INTO usage_rollups (account_id, hour, endpoint, payer, share_bps, calls, gross_micro, developer_micro, platform_micro, attested_calls) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (account_id, hour, endpoint, payer, share_bps) DO UPDATE SET
      calls = calls + excluded.calls, gross_micro = gross_micro + excluded.gross_micro,
      developer_micro = developer_micro + excluded.developer_micro,
      platform_micro = platform_micro + excluded.platform_micro,
      attested_calls = attested_calls + excluded.attested_calls;

-- PostgreSQL

-- function
CREATE FUNCTION assay_charge_calls_v4(
  p_batch text, p_payer text, p_replay_from bigint, p_credit_limit bigint, p_account_id text[], p_mode text[], p_ref text[], p_endpoint text[], p_at_ms bigint[], p_share_bps bigint[], p_gross_micro_usd bigint[], p_developer_micro_usd bigint[], p_user_engagement float8[], p_session_duration float8[], p_scroll_depth float8[], p_interaction_count bigint[], p_page_views bigint[], p_return_visitor bigint[], p_service_score float8[], p_confidence float8[], p_recommendation text[], p_processing_time_ms float8[], p_model_version text[], p_calibration bigint[], p_key_hash text[], p_input text[], p_body text[], p_attested_session text[], p_attested bigint[], p_attestation_issues text[]
) RETURNS TABLE (receipts text, replays json) LANGUAGE plpgsql
-- Every table here is met by its key. A plan that was made while a table was small must not scan it later.
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
DECLARE
  v_calls int := array_length(p_account_id, 1);
  v_has_keys boolean := array_length(array_remove(p_key_hash, NULL), 1) > 0;
  v_has_sessions boolean := array_length(array_remove(p_attested_session, NULL), 1) > 0;
  v_replays json;
  -- Of calls that are to be attested: whether the session is used by now, and the call before with the same session.
  v_is_used boolean[];
  v_same_before bigint[];
  -- Replays, and calls that are refused or whose session is used: nothing is written for them.
  v_is_unwritten boolean[] := array_fill(false, ARRAY[v_calls]);
  v_seqs bigint[] := array_fill(NULL::bigint, ARRAY[v_calls]);
  v_ats bigint[] := p_at_ms;
  v_prevs text[] := array_fill(NULL::text, ARRAY[v_calls]);
  v_hashes text[] := array_fill(NULL::text, ARRAY[v_calls]);
  v_account text := '';
  v_seq bigint;
  v_at bigint;
  v_hash text;
  v_balance bigint;
  v_spendable bigint;
  v_spendable_seq bigint;
  v_head_accounts text[] := '{}';
  v_head_seqs bigint[] := '{}';
  v_head_ats bigint[] := '{}';
  v_head_hashes text[] := '{}';
  v_head_balances bigint[] := '{}';
  v_head_spendables bigint[] := '{}';
  v_heads int := 0;
BEGIN
  -- Fails if the batch was given up meanwhile (charge-batch.postgres.ts), and nothing is billed.
  INSERT INTO commit_batches (id, committed, at) VALUES (p_batch, 1, p_at_ms[1]);

  PERFORM 1 FROM ledger_heads h WHERE h.account_id = ANY (p_account_id) ORDER BY h.account_id FOR UPDATE;

  -- Every answer is stored under its account's lock, so what this look-up finds is all there is.
  IF v_has_keys THEN
    SELECT array_agg(coalesce((SELECT true FROM idempotency_answers a
             WHERE a.key_hash = k.key_hash AND a.at >= p_replay_from), false) ORDER BY k.ord)
      INTO v_is_unwritten FROM unnest(p_key_hash) WITH ORDINALITY AS k (key_hash, ord);
    IF true = ANY (v_is_unwritten) THEN
      SELECT json_agg(json_build_object('index', k.ord - 1, 'endpoint', a.endpoint, 'input', a.input,
               'body', a.body, 'seq', e.seq, 'hash', e.hash))
        INTO v_replays
        FROM unnest(p_key_hash, v_is_unwritten) WITH ORDINALITY AS k (key_hash, is_unwritten, ord)
        JOIN idempotency_answers a ON a.key_hash = k.key_hash
        LEFT JOIN ledger_entries e ON e.account_id = a.account_id AND e.seq = a.ledger_seq
        WHERE k.is_unwritten;
    END IF;
  END IF;

  -- Sessions are used under their account's lock too.
  IF v_has_sessions THEN
    SELECT array_agg(c.is_used ORDER BY c.ord), array_agg(c.same_before ORDER BY c.ord) INTO v_is_used, v_same_before
      FROM (SELECT s.ord, coalesce((SELECT true FROM attested_sessions a WHERE a.id = s.id), false) AS is_used,
              lag(s.ord) OVER (PARTITION BY s.id ORDER BY s.ord) AS same_before
            FROM unnest(p_attested_session) WITH ORDINALITY AS s (id, ord)) AS c;
  END IF;

  FOR i IN 1 .. v_calls LOOP
    IF p_attested_session[i] IS NOT NULL AND v_is_used[v_same_before[i]] THEN
      v_is_used[i] := true;
    END IF;
    CONTINUE WHEN p_mode[i] <> 'live' OR v_is_unwritten[i];
    IF p_attested_session[i] IS NOT NULL AND v_is_used[i] THEN
      v_is_unwritten[i] := true;
      v_hashes[i] := 'used';
      CONTINUE;
    END IF;
    IF p_account_id[i] <> v_account THEN
      v_account := p_account_id[i];
      SELECT h.seq, h.at, h.hash, h.balance_micro, h.spendable_micro, h.spendable_seq
        INTO STRICT v_seq, v_at, v_hash, v_balance, v_spendable, v_spendable_seq
        FROM ledger_heads h WHERE h.account_id = v_account;
      IF v_spendable_seq < v_seq AND v_spendable IS NOT NULL THEN
        -- Calls that a node of an earlier version charged, without counting them here.
        SELECT v_spendable - coalesce(sum(e.gross_micro), 0) INTO v_spendable FROM ledger_entries e
          WHERE e.account_id = v_account AND e.seq > v_spendable_seq AND e.kind = 'call' AND e.payer = 'developer';
      END IF;
    END IF;
    IF p_payer = 'developer' THEN
      -- Without a limit nothing is refused.
      IF coalesce(v_spendable, 0) - p_gross_micro_usd[i] < -p_credit_limit THEN
        v_is_unwritten[i] := true;
        v_hashes[i] := 'refused';
        CONTINUE;
      END IF;
      v_spendable := v_spendable - p_gross_micro_usd[i];
    END IF;
    IF v_has_sessions THEN
      v_is_used[i] := true;
    END IF;
    IF v_heads = 0 OR v_head_accounts[v_heads] <> v_account THEN
      v_heads := v_heads + 1;
      v_head_accounts[v_heads] := v_account;
    END IF;
    v_seq := v_seq + 1;
    v_at := greatest(v_at, p_at_ms[i]);
    v_prevs[i] := v_hash;
    v_hash := encode(sha256(convert_to(concat_ws(E'\n', 'assay-entry-1', v_account, v_seq, v_at, 'call',
      p_ref[i], p_endpoint[i], p_payer, p_share_bps[i], p_gross_micro_usd[i], p_developer_micro_usd[i],
      p_gross_micro_usd[i] - p_developer_micro_usd[i], v_hash), 'UTF8')), 'hex');
    v_balance := v_balance + p_developer_micro_usd[i] - CASE p_payer WHEN 'developer' THEN p_gross_micro_usd[i] ELSE 0 END;
    v_seqs[i] := v_seq; v_ats[i] := v_at; v_hashes[i] := v_hash;
    v_head_seqs[v_heads] := v_seq; v_head_ats[v_heads] := v_at;
    v_head_hashes[v_heads] := v_hash; v_head_balances[v_heads] := v_balance;
    v_head_spendables[v_heads] := v_spendable;
  END LOOP;

  INSERT INTO ledger_entries (account_id, seq, at, kind, ref, endpoint, payer, share_bps, gross_micro,
      developer_micro, platform_micro, prev_hash, hash)
    SELECT c.account_id, c.seq, c.at, 'call', c.ref, c.endpoint, p_payer, c.share_bps, c.gross, c.developer,
      c.gross - c.developer, c.prev, c.hash
    FROM unnest(p_account_id, v_seqs, v_ats, p_ref, p_endpoint, p_share_bps, p_gross_micro_usd, p_developer_micro_usd, v_prevs, v_hashes)
      AS c (account_id, seq, at, ref, endpoint, share_bps, gross, developer, prev, hash)
    WHERE c.seq IS NOT NULL;

  UPDATE ledger_heads h SET seq = n.seq, at = n.at, hash = n.hash, balance_micro = n.balance,
      spendable_micro = n.spendable, spendable_seq = n.seq
    FROM unnest(v_head_accounts, v_head_seqs, v_head_ats, v_head_hashes, v_head_balances, v_head_spendables)
      AS n (account_id, seq, at, hash, balance, spendable)
    WHERE h.account_id = n.account_id;

  INSERT INTO usage_rollups AS r (account_id, hour, endpoint, payer, share_bps, calls, gross_micro,
      developer_micro, platform_micro, attested_calls)
    SELECT c.account_id, c.at - c.at % 3600000, c.endpoint, p_payer, c.share_bps, count(*), sum(c.gross),
      sum(c.developer), sum(c.gross - c.developer), count(c.session)
    FROM unnest(p_account_id, v_seqs, v_ats, p_endpoint, p_share_bps, p_gross_micro_usd, p_developer_micro_usd, p_attested_session)
      AS c (account_id, seq, at, endpoint, share_bps, gross, developer, session)
    WHERE c.seq IS NOT NULL GROUP BY 1, 2, 3, 5
  ON CONFLICT (account_id, hour, endpoint, payer, share_bps) DO UPDATE SET calls = r.calls + excluded.calls,
    gross_micro = r.gross_micro + excluded.gross_micro,
    developer_micro = r.developer_micro + excluded.developer_micro,
    platform_micro = r.platform_micro + excluded.platform_micro, attested_calls = r.attested_calls + excluded.attested_calls;

  IF v_has_sessions THEN
    INSERT INTO attested_sessions (id, account_id, ref, at)
      SELECT c.session, c.account_id, c.ref, c.at
      FROM unnest(p_attested_session, p_account_id, p_ref, p_at_ms, v_seqs) AS c (session, account_id, ref, at, seq)
      WHERE c.session IS NOT NULL AND c.seq IS NOT NULL;
  END IF;

  -- An array that is null, because no call of the batch has a token, is one of nulls here.
  INSERT INTO session_records (account_id, mode, id, endpoint, at, user_engagement, session_duration, scroll_depth, interaction_count, page_views, return_visitor, service_score, confidence, recommendation, processing_time_ms, model_version, calibration, attested, attestation_issues, ledger_seq)
    SELECT c.account_id, c.mode, c.ref, c.endpoint, c.at_ms, c.user_engagement, c.session_duration, c.scroll_depth, c.interaction_count, c.page_views, c.return_visitor, c.service_score, c.confidence, c.recommendation, c.processing_time_ms, c.model_version, c.calibration, c.attested, c.attestation_issues, c.seq
    FROM unnest(p_account_id, p_mode, p_ref, p_endpoint, p_at_ms, p_user_engagement, p_session_duration, p_scroll_depth, p_interaction_count, p_page_views, p_return_visitor, p_service_score, p_confidence, p_recommendation, p_processing_time_ms, p_model_version, p_calibration, p_attested, p_attestation_issues, v_seqs, v_is_unwritten)
      AS c (account_id, mode, ref, endpoint, at_ms, user_engagement, session_duration, scroll_depth, interaction_count, page_views, return_visitor, service_score, confidence, recommendation, processing_time_ms, model_version, calibration, attested, attestation_issues, seq, is_unwritten)
    WHERE c.service_score IS NOT NULL AND NOT c.is_unwritten;

  IF v_has_keys THEN
    -- A key that is stored but past its time is taken over.
    INSERT INTO idempotency_answers AS a (key_hash, account_id, endpoint, input, body, ledger_seq, at)
      SELECT c.key_hash, c.account_id, c.endpoint, c.input, c.body, c.seq, c.at
      FROM unnest(p_key_hash, p_account_id, p_endpoint, p_input, p_body, v_seqs, p_at_ms, v_is_unwritten)
        AS c (key_hash, account_id, endpoint, input, body, seq, at, is_unwritten)
      WHERE c.key_hash IS NOT NULL AND NOT c.is_unwritten
    ON CONFLICT (key_hash) DO UPDATE SET account_id = excluded.account_id, endpoint = excluded.endpoint,
      input = excluded.input, body = excluded.body, ledger_seq = excluded.ledger_seq,
      at = excluded.at;
  END IF;

  RETURN QUERY SELECT
    (SELECT string_agg(coalesce(c.seq || '.' || c.hash, c.hash, ''), ',' ORDER BY c.ord)
      FROM unnest(v_seqs, v_hashes) WITH ORDINALITY AS c (seq, hash, ord)),
    v_replays;
END $$;

-- call
SELECT receipts, replays FROM assay_charge_calls_v4($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30);
