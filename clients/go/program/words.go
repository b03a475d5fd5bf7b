package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"

	pb "tarneeb/v1"
)

// words are the sentences of a language, as clients/words/ar.json: a refusal is said to its mover from reason and
// parameters, never from the English message.
type words struct {
	Seats     map[string]string   `json:"seats"`
	Strains   map[string]string   `json:"strains"`
	Ranks     map[string]string   `json:"ranks"`
	Phases    map[string]string   `json:"phases"`
	Card      string              `json:"card"`
	Bid       string              `json:"bid"`
	Separator string              `json:"separator"`
	Refusals  map[string][]string `json:"refusals"`
}

func readWords(path string) (*words, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	w := &words{}
	if err := json.Unmarshal(data, w); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return w, nil
}

var place = regexp.MustCompile(`{\w+}`)

// refusal is the first sentence for the reason whose places all have a value.
func (w *words) refusal(move *pb.Move, verdict *pb.Verdict) (string, error) {
	values := w.values(move, verdict)
	for _, sentence := range w.Refusals[reasonText(verdict.Reason)] {
		if said, whole := filled(sentence, values); whole {
			return said, nil
		}
	}
	return "", fmt.Errorf("no sentence fits %s", verdict.Reason)
}

// filled is a text with its places filled in, and whether all have a value.
func filled(text string, values map[string]string) (string, bool) {
	whole := true
	said := place.ReplaceAllStringFunc(text, func(found string) string {
		value, there := values[found[1:len(found)-1]]
		whole = whole && there
		return value
	})
	return said, whole
}

// values are what the places of a sentence stand for; what is not there has none.
func (w *words) values(move *pb.Move, verdict *pb.Verdict) map[string]string {
	values := map[string]string{"seat": w.seat(move.Seat)}
	if move.Revision != nil {
		values["made_for"] = number(*move.Revision)
	}
	switch action := move.Action.(type) {
	case *pb.Move_Card:
		values["card"] = w.card(action.Card)
	case *pb.Move_Call:
		if action.Call.Kind == pb.CallKind_CALL_KIND_BID {
			values["bid"] = w.bid(action.Call.Tricks, action.Call.Strain)
		}
	}
	if verdict.GetGameRevision() != 0 {
		values["game_revision"] = number(verdict.GetGameRevision())
	}
	if verdict.HighestBid != 0 {
		values["highest_bid"] = number(verdict.HighestBid)
	}
	if verdict.Phase != pb.Phase_PHASE_UNSPECIFIED {
		values["phase"] = w.Phases[lower(verdict.Phase, "PHASE_")]
	}
	if verdict.SeatToAct != pb.Seat_SEAT_UNSPECIFIED {
		values["seat_to_act"] = w.seat(verdict.SeatToAct)
	}
	if verdict.BidHolder != pb.Seat_SEAT_UNSPECIFIED {
		values["bid_holder"] = w.seat(verdict.BidHolder)
	}
	if verdict.LowestBid != nil {
		values["lowest_bid"] = w.bid(verdict.LowestBid.Tricks, verdict.LowestBid.Strain)
	}
	if len(verdict.BarredBids) > 0 {
		values["barred_bids"] = joined(verdict.BarredBids, w.Separator, number)
	}
	if verdict.LedSuit != pb.Suit_SUIT_UNSPECIFIED {
		values["led_suit"] = w.strain(pb.Strain(verdict.LedSuit))
	}
	if verdict.Trump != pb.Strain_STRAIN_UNSPECIFIED {
		values["trump"] = w.strain(verdict.Trump)
	}
	if len(verdict.PlayableCards) > 0 {
		values["playable_cards"] = joined(verdict.PlayableCards, w.Separator, w.card)
	}
	return values
}

func (w *words) seat(seat pb.Seat) string       { return w.Seats[seatText(seat)] }
func (w *words) strain(strain pb.Strain) string { return w.Strains[strainText(strain)] }

func (w *words) card(card pb.Card) string {
	rank, suit := w.Ranks[rankTexts[card&15]], w.strain(pb.Strain(card>>4))
	return strings.NewReplacer("{rank}", rank, "{suit}", suit).Replace(w.Card)
}

func (w *words) bid(tricks uint32, strain pb.Strain) string {
	if strain == pb.Strain_STRAIN_UNSPECIFIED {
		return number(tricks)
	}
	return strings.NewReplacer("{tricks}", number(tricks), "{strain}", w.strain(strain)).Replace(w.Bid)
}
