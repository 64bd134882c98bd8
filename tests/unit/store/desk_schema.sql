CREATE TABLE fact_checks (
    id TEXT PRIMARY KEY,
    assignment_id TEXT,
    source_assignment_id TEXT,
    content TEXT NOT NULL,
    claims_to_verify TEXT,
    verified_claims TEXT,
    disputed_claims TEXT,
    sources TEXT,
    overall_rating TEXT,
    status TEXT DEFAULT 'pending',
    assigned_to INTEGER,
    created_by INTEGER,
    completed_by INTEGER,
    fact_checker_notes TEXT,
    created_at DATETIME DEFAULT CURRENT_TIMESTAMP,
    completed_at DATETIME,
    FOREIGN KEY (assignment_id) REFERENCES assignments(id),
    FOREIGN KEY (source_assignment_id) REFERENCES assignments(id),
    FOREIGN KEY (assigned_to) REFERENCES users(id),
    FOREIGN KEY (created_by) REFERENCES users(id),
    FOREIGN KEY (completed_by) REFERENCES users(id)
);
CREATE TABLE extracted_claims (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    fact_check_id TEXT NOT NULL,
    claim_text TEXT NOT NULL,
    claim_type TEXT,
    sentence_index INTEGER,
    span_start INTEGER,
    span_end INTEGER,
    verifiable BOOLEAN DEFAULT 1,
    verification_type TEXT,
    confidence_score REAL,
    patterns_matched TEXT,
    deniability_score REAL,
    hearsay_confidence REAL,
    private_data_detected BOOLEAN DEFAULT 0,
    status TEXT DEFAULT 'pending',
    priority TEXT DEFAULT 'medium',
    created_at DATETIME DEFAULT CURRENT_TIMESTAMP,
    updated_at DATETIME DEFAULT CURRENT_TIMESTAMP,
    FOREIGN KEY (fact_check_id) REFERENCES fact_checks(id) ON DELETE CASCADE
);
CREATE TABLE claim_verifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    claim_id INTEGER NOT NULL,
    verification_status TEXT DEFAULT 'pending',
    rating TEXT,
    credibility_score REAL,
    sources_found TEXT,
    verification_method TEXT,
    verification_notes TEXT,
    verified_by INTEGER,
    verified_at DATETIME,
    time_spent_seconds INTEGER,
    created_at DATETIME DEFAULT CURRENT_TIMESTAMP,
    FOREIGN KEY (claim_id) REFERENCES extracted_claims(id) ON DELETE CASCADE,
    FOREIGN KEY (verified_by) REFERENCES users(id)
);
CREATE TABLE verification_sources (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    verification_id INTEGER NOT NULL,
    url TEXT NOT NULL,
    domain TEXT,
    title TEXT,
    credibility_tier TEXT,
    credibility_score REAL,
    supports_claim BOOLEAN,
    relevance_score REAL,
    excerpt TEXT,
    date_published DATETIME,
    date_accessed DATETIME DEFAULT CURRENT_TIMESTAMP,
    notes TEXT,
    FOREIGN KEY (verification_id) REFERENCES claim_verifications(id) ON DELETE CASCADE
);
CREATE TABLE claim_types (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type_name TEXT UNIQUE NOT NULL,
    verification_approach TEXT NOT NULL,
    description TEXT,
    requires_sources BOOLEAN DEFAULT 1,
    typical_verification_time INTEGER,
    created_at DATETIME DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX idx_claims_factcheck ON extracted_claims(fact_check_id);
CREATE INDEX idx_verifications_claim ON claim_verifications(claim_id);
CREATE INDEX idx_sources_verification ON verification_sources(verification_id);
CREATE INDEX idx_claims_status ON extracted_claims(status);
CREATE INDEX idx_factchecks_status ON fact_checks(status);
CREATE INDEX idx_claims_type ON extracted_claims(claim_type);
CREATE INDEX idx_sources_domain ON verification_sources(domain);
