package main

import (
	"fmt"
	"strings"

	pb "tarneeb/v1"
)

// viewText is a view in one line.
func viewText(view *pb.GameView) string {
	pairs := []struct{ key, text string }{
		{"id", view.Id},
		{"preset", view.PresetId},
		{"revision", number(view.Revision)},
		{"scores", joined(view.Scores, ",", number)},
		{"hand", number(view.HandNumber)},
		{"dealer", seatText(view.Dealer)},
		{"next", seatText(view.NextDealer)},
		{"cutter", seatText(view.Cutter)},
		{"phase", lower(view.Phase, "PHASE_")},
		{"act", seatText(view.SeatToAct)},
		{"outcome", outcomeText(view.Outcome)},
		{"legal", joined(view.LegalMoves, ",", moveText)},
	}
	if hand := view.Hand; hand != nil {
		pairs = append(pairs, []struct{ key, text string }{
			{"holding", joined(hand.Holding, ",", cardText)},
			{"counts", joined(hand.HoldingCounts, ",", number)},
			{"turned", cardText(hand.TurnedCard)},
			{"calls", joined(hand.Calls, ",", callMadeText)},
			{"contract", contractText(hand.Contract, ".doubled")},
			{"trump", strainText(hand.Trump)},
			{"leader", seatText(hand.OpeningLeader)},
			{"trick", trickText(hand.Trick)},
			{"past", joined(hand.PastTricks, ",", trickText)},
			{"taken", joined(hand.TrickCounts, ",", number)},
			{"result", resultText(hand.Result)},
			{"revealed", joined(hand.Revealed, ",", handsText)},
		}...)
	}
	var line strings.Builder
	line.WriteString("view " + viewerText(view.Viewer))
	for _, pair := range pairs {
		line.WriteString(" " + pair.key + "=" + pair.text)
	}
	return line.String()
}

func outcomeText(outcome *pb.Outcome) string {
	if outcome == nil {
		return "-"
	}
	return fmt.Sprintf("%s.%s.%s",
		teamText(outcome.Winner), teamText(outcome.Loser), lower(outcome.Reason, "WIN_REASON_"))
}

func trickText(trick *pb.Trick) string {
	if trick == nil {
		return "-"
	}
	return fmt.Sprintf("%d.%s.%s.%s",
		trick.Number, seatText(trick.Leader), joined(trick.Cards, "/", cardText), seatText(trick.Winner))
}
